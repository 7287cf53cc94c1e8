package dev.fairlead.domain.topology;

import java.util.List;

/** From where storage is reachable. Unknown is never anywhere: what is unknown changes nothing. */
public sealed interface Placement {
    Placement ANYWHERE = new Anywhere();
    Placement UNKNOWN = new Unknown();

    /** From every node. */
    record Anywhere() implements Placement {}

    /** Nobody could say. */
    record Unknown() implements Placement {}

    /** From the nodes of any of these places; from none where there is no place. */
    record Within(List<Place> places) implements Placement {
        public Within {
            places = List.copyOf(places);
        }
    }

    /**
     * One alternative of a connection's topology.
     *
     * @param requirements what is compared with what a caller asks for
     * @param extra further labels that the volume's nodes must carry; never compared
     */
    record Place(TopologySegment requirements, TopologySegment extra) {
        /** What the volume reports: requirements and extra together. */
        public TopologySegment reported() {
            var all = new java.util.TreeMap<>(requirements.labels());
            all.putAll(extra.labels());
            return new TopologySegment(all);
        }
    }
}
