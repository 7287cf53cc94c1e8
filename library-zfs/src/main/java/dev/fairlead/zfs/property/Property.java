package dev.fairlead.zfs.property;

/**
 * Describes a property of a dataset.
 *
 * @param value the value; {@code -} if the dataset has none
 * @param source {@code local}, {@code default}, {@code inherited from …}, {@code temporary}, {@code received},
 *     {@code -}
 */
public record Property(String value, String source) {
    static final String NONE = "-";

    /** Says whether it was set on this dataset itself; {@code received} came with a stream that was meant for it. */
    public boolean isOwn() {
        return source.equals("local") || source.equals("received");
    }

    /** Says whether it is set; a user property may have a dash for its value, but then it has a source. */
    public boolean isSet() {
        return !(value.equals(NONE) && source.equals(NONE));
    }
}
