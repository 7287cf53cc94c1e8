package dev.fairlead.adapter.freenas.client.connection;

import dev.fairlead.adapter.freenas.client.TruenasVersion;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Chooses the version of the API by which a box is spoken to. The vendor changes models with each version, within a
 * minor release too, so that only the versions count as known whose models this program was written for.
 *
 * @param chosen the newest known one; the newest of all, if none is known
 * @param newest the newest that the box speaks, which is its own
 */
record ApiVersions(TruenasVersion chosen, TruenasVersion newest) {
    /** Holds the newest known patch of each known release by its two numbers; those before it are known as well. */
    private static final Map<List<Integer>, Integer> KNOWN =
            Map.of(List.of(25, 4), 2, List.of(25, 10), 5, List.of(26, 0), 0);

    private static final Comparator<TruenasVersion> BY_AGE = Comparator.naturalOrder();

    /** Chooses among the versions that a box speaks, of which there is at least one. */
    static ApiVersions of(List<TruenasVersion> spoken) {
        TruenasVersion newest = spoken.stream().max(BY_AGE).orElseThrow();
        return new ApiVersions(
                spoken.stream().filter(ApiVersions::isKnown).max(BY_AGE).orElse(newest), newest);
    }

    /** Says whether the box is spoken to by its own version, and that is known. */
    boolean areOwn() {
        return isKnown(newest);
    }

    private static boolean isKnown(TruenasVersion version) {
        return version.patch() <= KNOWN.getOrDefault(List.of(version.major(), version.minor()), -1);
    }
}
