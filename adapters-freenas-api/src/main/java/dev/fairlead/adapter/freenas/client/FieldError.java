package dev.fairlead.adapter.freenas.client;

/**
 * Tells what is wrong with one field of a call.
 *
 * @param attribute the field's name in the box's words, such as {@code pool_dataset_create.name} or {@code data.path};
 *     which of these forms it has differs by release, so {@link #isAbout} compares the last part alone
 * @param text the box's own words
 */
public record FieldError(String attribute, String text, ApiErrno errno) {
    /** Says whether it is about the field of this name, such as {@code name}. */
    public boolean isAbout(String field) {
        return attribute.equals(field) || attribute.endsWith("." + field);
    }
}
