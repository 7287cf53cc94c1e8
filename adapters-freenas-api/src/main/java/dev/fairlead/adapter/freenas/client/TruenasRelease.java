package dev.fairlead.adapter.freenas.client;

/**
 * Says what a box runs, and in the words of which version it is spoken to.
 *
 * @param system the version of the box's software
 * @param api the version whose methods, fields and answers hold; the same as {@code system}, unless that is newer than
 *     any that is known: then the newest known one of those that the box still speaks, by its versioned path
 * @param overRest whether calls go by REST (CORE, and SCALE up to 24.10), and not by JSON-RPC
 */
public record TruenasRelease(TruenasVersion system, TruenasVersion api, boolean overRest) {
    /** Says whether the box is newer than every release that is known. */
    public boolean isUnknown() {
        return !system.equals(api);
    }

    public boolean isCore() {
        return api.isCore();
    }

    /**
     * Says whether the API is that of this release or of a later one; of CORE never, whose numbers are another series.
     */
    public boolean isAtLeast(int major, int minor) {
        return api.isAtLeast(major, minor);
    }

    /** Says the same of a version with three numbers. */
    public boolean isAtLeast(int major, int minor, int patch) {
        return api.isAtLeast(major, minor, patch);
    }

    /** Returns the version for people, such as {@code TrueNAS-27.0.0 (spoken to as v26.0.0)}. */
    public String shown() {
        return isUnknown() ? system + " (spoken to as " + api + ")" : system.toString();
    }
}
