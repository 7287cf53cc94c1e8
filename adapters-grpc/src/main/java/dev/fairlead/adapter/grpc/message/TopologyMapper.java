package dev.fairlead.adapter.grpc.message;

import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.TopologyLabels;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.ArrayList;
import java.util.List;

/** Decodes and encodes from where a volume is to be, or is, reachable. */
public final class TopologyMapper {
    private TopologyMapper() {}

    public static AccessibilityRequirement requirement(String field, TopologyRequirement requirement) {
        return new AccessibilityRequirement(
                segments(field + ".requisite", requirement.getRequisiteList()),
                segments(field + ".preferred", requirement.getPreferredList()));
    }

    private static List<TopologySegment> segments(String field, List<Topology> terms) {
        List<TopologySegment> segments = new ArrayList<>(terms.size());
        for (int i = 0; i < terms.size(); i++) {
            segments.add(segment(field + "[" + i + "]", terms.get(i)));
        }
        return segments;
    }

    public static TopologySegment segment(String field, Topology term) {
        return TopologyLabels.requested(field, term.getSegmentsMap());
    }

    static Topology encode(TopologySegment segment) {
        return Topology.newBuilder().putAllSegments(segment.labels()).build();
    }
}
