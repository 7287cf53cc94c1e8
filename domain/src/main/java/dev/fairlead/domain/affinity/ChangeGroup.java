package dev.fairlead.domain.affinity;

/**
 * Names PersistentVolumes of one source that a single mistake changes together, such as those of one connection.
 *
 * @param source the name of the source that tells their placement
 * @param name what they have in common, for people, such as {@code connection nas}
 */
public record ChangeGroup(String source, String name) {
    @Override
    public String toString() {
        return name;
    }
}
