package dev.fairlead.domain.topology;

import java.util.List;

/** Says from where storage is reachable. Unknown does not mean anywhere: an unknown placement changes nothing. */
public sealed interface Placement {
    Placement ANYWHERE = new Anywhere();
    Placement UNKNOWN = new Unknown();

    /** The storage is reachable from every node. */
    record Anywhere() implements Placement {}

    /** The placement is not known. */
    record Unknown() implements Placement {}

    /** The storage is reachable from the nodes of any of these places; from none if there is no place. */
    record Within(List<Place> places) implements Placement {
        public Within {
            places = List.copyOf(places);
        }
    }

    /**
     * Describes one alternative of a connection's topology.
     *
     * @param requirements the labels that are compared with those that a caller asks for
     * @param extra further labels that the volume's nodes must carry; never compared
     */
    record Place(TopologySegment requirements, TopologySegment extra) {
        /** Returns the labels that the volume reports: requirements and extra together. */
        public TopologySegment reported() {
            var all = new java.util.TreeMap<>(requirements.labels());
            all.putAll(extra.labels());
            return new TopologySegment(all);
        }
    }
}
