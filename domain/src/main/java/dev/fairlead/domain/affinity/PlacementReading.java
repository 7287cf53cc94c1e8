package dev.fairlead.domain.affinity;

import java.util.Optional;

/**
 * Holds one answer of a source about one volume.
 *
 * @param revision a text that differs whenever the placement may differ; two readings count as equal if placement and
 *     revision are equal
 * @param reason why the placement is what it is, for people, such as {@code replicas on node-1 and node-2}
 * @param lostNode a node that was evacuated or lost and that explains a change; such changes do not count as a surprise
 */
public record PlacementReading(VolumePlacement placement, String revision, String reason, Optional<String> lostNode) {
    public static PlacementReading of(VolumePlacement placement, String revision, String reason) {
        return new PlacementReading(placement, revision, reason, Optional.empty());
    }

    /** Returns a reading that changes nothing. */
    public static PlacementReading unknown(String reason) {
        return of(new VolumePlacement.Unknown(reason), "", reason);
    }

    public PlacementReading explainedBy(String node) {
        return new PlacementReading(placement, revision, reason, Optional.of(node));
    }
}
