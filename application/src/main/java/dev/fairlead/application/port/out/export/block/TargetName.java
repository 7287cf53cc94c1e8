package dev.fairlead.application.port.out.export.block;

/**
 * Holds the part of a target's name that is a volume's own. It can stand in the name of a target and be the name of a
 * directory; only {@link TargetNaming} makes one.
 */
public final class TargetName {
    private final String value;

    TargetName(String value) {
        this.value = value;
    }

    public String value() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TargetName that && that.value.equals(value);
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
