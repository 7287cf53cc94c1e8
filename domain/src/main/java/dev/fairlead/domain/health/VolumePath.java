package dev.fairlead.domain.health;

/**
 * Describes one way to a volume's storage: a session, a controller, a pool.
 *
 * @param name what it leads to, such as {@code portal 10.0.0.1:3260}
 * @param state how it is, in the kernel's own words
 * @param usable whether the volume can be reached by it
 */
public record VolumePath(String name, String state, boolean usable) {
    @Override
    public String toString() {
        return name + " (" + state + ")";
    }
}
