package dev.fairlead.domain.affinity;

import dev.fairlead.domain.topology.TopologyLabels;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.List;
import java.util.Optional;

/**
 * Says from where one existing volume can be used, as its storage tells now. Unknown is never anywhere: an unknown
 * placement changes nothing.
 */
public sealed interface VolumePlacement {
    /** The volume can be used from every node, and its storage or its class said so. */
    record Anywhere() implements VolumePlacement {}

    /** The volume can be used from every node that has a label of this key. */
    record Labelled(String key) implements VolumePlacement {
        public Labelled {
            TopologyLabels.foreignKeyProblem(key).ifPresent(why -> {
                throw new IllegalArgumentException(why);
            });
        }
    }

    /**
     * It is not known from where the volume can be used; its affinity stays as it is.
     *
     * @param finding what is wrong; empty if nothing is, and somebody wants the volume to be left alone
     */
    record Unknown(Optional<AffinityFinding> finding, String reason) implements VolumePlacement {
        /** Makes one that the storage does not tell. */
        public Unknown(String reason) {
            this(Optional.of(AffinityFinding.NOT_TOLD), reason);
        }

        /** Returns the reason, behind the code of what is wrong. */
        public String message() {
            return finding.map(found -> found.code() + " ").orElse("") + reason;
        }
    }

    /** The volume can be used from the nodes of any of these segments; there is at least one, each with a label. */
    record Segments(List<TopologySegment> any) implements VolumePlacement {
        public Segments {
            any = any.stream().distinct().toList();
            problem(any).ifPresent(why -> {
                throw new IllegalArgumentException(why);
            });
        }
    }

    /**
     * Returns the placement of these segments. It is unknown if there is none, if one has no label, since that would
     * open the volume to every node without anybody having said so, or if one has a label that Kubernetes refuses.
     */
    static VolumePlacement within(List<TopologySegment> any) {
        AffinityFinding finding = any.isEmpty() ? AffinityFinding.NO_DATA : AffinityFinding.UNREADABLE;
        return problem(any)
                .<VolumePlacement>map(why -> new Unknown(Optional.of(finding), why))
                .orElseGet(() -> new Segments(any));
    }

    static VolumePlacement anywhere() {
        return new Anywhere();
    }

    private static Optional<String> problem(List<TopologySegment> any) {
        if (any.isEmpty()) {
            return Optional.of("no place has the volume's data");
        }
        for (TopologySegment segment : any) {
            if (segment.labels().isEmpty()) {
                return Optional.of("one place has no label, which would mean every node");
            }
            for (var label : segment.labels().entrySet()) {
                Optional<String> why = TopologyLabels.foreignKeyProblem(label.getKey())
                        .or(() -> TopologyLabels.valueProblem(label.getValue()));
                if (why.isPresent()) {
                    return why;
                }
            }
        }
        return Optional.empty();
    }
}
