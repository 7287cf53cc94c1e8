package dev.fairlead.application.service.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.service.affinity.ConnectionPlaces.Place;
import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConnectionTopologyTest {
    private static final TopologySegment ZONE = TopologySegment.of(Map.of("org.example/zone", "z1"));
    private static final TopologySegment RACK = TopologySegment.of(Map.of("example.com/rack", "r1"));

    private final Map<String, Place> files = new HashMap<>();
    private final ConnectionTopology source =
            new ConnectionTopology(Set.of("org.example.csi"), new HandleCodec.Proxied(), new ConnectionPlaces() {
                @Override
                public Place of(ConnectionName connection) {
                    return files.getOrDefault(connection.value(), new Place.Unusable("its file is missing"));
                }

                @Override
                public void refresh() {}

                @Override
                public void listen(Runnable changed) {
                    changed.run();
                }

                @Override
                public void close() {}
            });

    @Test
    void a_volume_gets_what_a_new_one_would_report() {
        files.put("nas", new Place.Shared(new Placement.Within(List.of(new Placement.Place(ZONE, RACK)))));

        TopologySegment both = TopologySegment.of(Map.of("org.example/zone", "z1", "example.com/rack", "r1"));
        assertThat(placement("v:nas/vol-1")).isEqualTo(new VolumePlacement.Segments(List.of(both)));
    }

    @Test
    void volumes_are_counted_with_those_of_their_connection() {
        assertThat(source.group(volume("org.example.csi", "v:nas/vol-1"))).isEqualTo("connection nas");
        assertThat(source.group(volume("org.example.csi", "rubbish"))).isEqualTo("no connection");
    }

    @Test
    void a_connection_without_topology_means_everywhere_and_one_without_places_nothing() {
        files.put("nas", new Place.Shared(Placement.ANYWHERE));
        files.put("none", new Place.Shared(new Placement.Within(List.of())));
        files.put("dark", new Place.Shared(Placement.UNKNOWN));

        assertThat(placement("v:nas/vol-1")).isEqualTo(VolumePlacement.anywhere());
        assertThat(placement("v:none/vol-1")).isInstanceOf(VolumePlacement.Unknown.class);
        assertThat(placement("v:dark/vol-1")).isInstanceOf(VolumePlacement.Unknown.class);
    }

    @Test
    void more_places_than_can_be_compared_with_each_volume_are_unknown() {
        List<Placement.Place> places = IntStream.range(0, 257)
                .mapToObj(at -> new Placement.Place(TopologySegment.of(Map.of("org.example/zone", "z" + at)), RACK))
                .toList();
        files.put("nas", new Place.Shared(new Placement.Within(places)));

        assertThat(placement("v:nas/vol-1"))
                .isEqualTo(new VolumePlacement.Unknown(
                        Optional.of(AffinityFinding.UNREADABLE), "its file has 257 places (expected: 256 at most)"));
    }

    @Test
    void a_file_that_is_gone_or_cannot_be_read_is_unknown() {
        assertThat(source.answersFor(volume("org.example.csi", "v:gone/vol-1"))).isTrue();
        assertThat(placement("v:gone/vol-1"))
                .isEqualTo(new VolumePlacement.Unknown("connection gone: its file is missing"));
    }

    @Test
    void volumes_of_one_node_of_others_and_without_a_handle_are_not_its_own() {
        files.put("local", new Place.NodeLocal());

        assertThat(source.answersFor(volume("org.example.csi", "v:local/vol-1")))
                .isFalse();
        assertThat(source.answersFor(volume("org.other.csi", "v:nas/vol-1"))).isFalse();
        assertThat(source.answersFor(volume("org.example.csi", "rubbish"))).isFalse();
        assertThat(source.answersFor(volume("org.example.csi", "v:a/b/../c"))).isFalse();
    }

    private VolumePlacement placement(String handle) {
        return Objects.requireNonNull(
                        source.read(List.of(volume("org.example.csi", handle))).get("pv"))
                .placement();
    }

    private static PlacedVolume volume(String driver, String handle) {
        return new PlacedVolume("pv", driver, handle, Map.of(), Map.of(), Optional.empty(), Optional.empty());
    }
}
