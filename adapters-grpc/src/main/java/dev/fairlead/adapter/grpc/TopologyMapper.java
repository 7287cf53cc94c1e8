package dev.fairlead.adapter.grpc;

import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Decodes and encodes where a volume is to be, or is, reachable. */
final class TopologyMapper {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    /** Kubernetes allows label prefixes of 253 characters where CSI allows 63; nodes have them, so they are let in. */
    private static final Pattern PREFIX = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    private TopologyMapper() {}

    static AccessibilityRequirement requirement(String field, TopologyRequirement requirement) {
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

    static TopologySegment segment(String field, Topology term) {
        term.getSegmentsMap().forEach((key, value) -> {
            int slash = key.indexOf('/');
            boolean prefixed =
                    slash < 0 || PREFIX.matcher(key.substring(0, slash)).matches();
            if (!prefixed || !NAME.matcher(key.substring(slash + 1)).matches()) {
                throw Fields.invalid(field, "'" + key + "' is not a label key (expected: prefix/name or name)");
            }
            if (!value.isEmpty() && !NAME.matcher(value).matches()) {
                throw Fields.invalid(
                        field,
                        "'" + value + "' is not a label value of " + key
                                + " (expected: at most 63 letters, digits and any of -_.)");
            }
        });
        return TopologySegment.of(term.getSegmentsMap());
    }

    static Topology encode(TopologySegment segment) {
        return Topology.newBuilder().putAllSegments(segment.labels()).build();
    }
}
