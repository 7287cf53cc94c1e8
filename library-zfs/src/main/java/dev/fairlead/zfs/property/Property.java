package dev.fairlead.zfs.property;

/**
 * A property of a dataset.
 *
 * @param value {@code -} where the dataset has none
 * @param source {@code local}, {@code default}, {@code inherited from …}, {@code temporary}, {@code received},
 *     {@code -}
 */
public record Property(String value, String source) {
    static final String NONE = "-";

    /** Whether it was given to this dataset itself; {@code received} came with a stream that was meant for it. */
    public boolean isOwn() {
        return source.equals("local") || source.equals("received");
    }

    /** A user property may have been given a dash for a value, but then it has a source. */
    public boolean isSet() {
        return !(value.equals(NONE) && source.equals(NONE));
    }
}
