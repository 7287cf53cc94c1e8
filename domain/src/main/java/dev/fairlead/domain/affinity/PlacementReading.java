package dev.fairlead.domain.affinity;

import java.util.Map;
import java.util.Optional;

/**
 * Holds one answer of a source about one volume.
 *
 * @param revision a text that differs whenever the placement may differ; two readings count as equal if placement and
 *     revision are equal
 * @param reason why the placement is what it is, for people, such as {@code replicas on node-1 and node-2}
 * @param lostNode a node that was evacuated or lost; a change by which it loses the volume is no surprise
 * @param lostLabels the labels of that node
 */
public record PlacementReading(
        VolumePlacement placement,
        String revision,
        String reason,
        Optional<String> lostNode,
        Map<String, String> lostLabels) {
    public PlacementReading {
        lostLabels = Map.copyOf(lostLabels);
    }

    public static PlacementReading of(VolumePlacement placement, String revision, String reason) {
        return new PlacementReading(placement, revision, reason, Optional.empty(), Map.of());
    }

    /** Returns a reading that changes nothing, since the storage does not tell. */
    public static PlacementReading unknown(String reason) {
        return unknown(AffinityFinding.NOT_TOLD, reason);
    }

    /** Returns a reading that changes nothing, and says what is wrong. */
    public static PlacementReading unknown(AffinityFinding finding, String reason) {
        return of(new VolumePlacement.Unknown(Optional.of(finding), reason), "", reason);
    }

    /** Returns a reading that changes nothing, since somebody wants it so. */
    public static PlacementReading leftAlone(String reason) {
        return of(new VolumePlacement.Unknown(Optional.empty(), reason), "", reason);
    }

    public PlacementReading explainedBy(String node, Map<String, String> labels) {
        return new PlacementReading(placement, revision, reason, Optional.of(node), labels);
    }

    /** Returns the lost node if it explains this change: it could use the volume before, and could not afterwards. */
    public Optional<String> explanation(NodeAffinity from, NodeAffinity to) {
        return lostNode.filter(node -> from.mayAdmit(node, lostLabels) && !to.mayAdmit(node, lostLabels));
    }
}
