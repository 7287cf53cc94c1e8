package dev.fairlead.adapter.zfs.asset;

/**
 * The part of a target's name that is a volume's own. It can stand in the name of a target and be the name of a
 * directory; only {@link AssetNames} makes one.
 */
public final class AssetName {
    private final String value;

    AssetName(String value) {
        this.value = value;
    }

    public String value() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AssetName that && that.value.equals(value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value;
    }
}
