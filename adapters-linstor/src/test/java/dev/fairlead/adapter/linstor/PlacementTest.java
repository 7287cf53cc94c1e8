package dev.fairlead.adapter.linstor;

import static dev.fairlead.adapter.linstor.LinstorCluster.read;
import static dev.fairlead.adapter.linstor.LinstorCluster.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.PlacementReading;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where volumes can be used whose replicas stand still or move. */
class PlacementTest {
    @TempDir
    private Path folder;

    @Test
    void a_tie_breaker_does_not_count_and_replicas_do() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                PlacementSource source = cluster.source()) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");
            cluster.resource("plain", "vol-2", "node-1");

            assertThat(read(source, volume("vol-1"))).isEqualTo("[node-2, node-3]");
            assertThat(read(source, volume("vol-2"))).isEqualTo("[node-1]");
            assertThat(read(source, volume("vol-1", Map.of("allowRemoteVolumeAccess", "- fromSame: [zone]"))))
                    .isEqualTo("[z1]");
            assertThat(read(source, volume("vol-1", Map.of()))).isEqualTo("anywhere");
        }
    }

    @Test
    void anywhere_may_mean_all_nodes_that_linstor_has() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                PlacementSource source = cluster.source(true)) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");

            assertThat(read(source, volume("vol-1", Map.of()))).isEqualTo("[node-1, node-2, node-3]");
        }
    }

    @Test
    void during_an_evacuation_the_new_replica_counts_with_its_data_and_the_old_one_until_it_goes() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0.1);
                PlacementSource source = cluster.source()) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");
            List<String> seen = new ArrayList<>(List.of(read(source, volume("vol-1"))));

            cluster.call("PUT", "/v1/nodes/node-3/evacuate", "");
            PlacementReading last = PlacementReading.unknown("");
            long end = System.nanoTime() + 2_500_000_000L;
            while (System.nanoTime() < end) {
                last = LinstorCluster.reading(source, volume("vol-1"));
                String now = LinstorCluster.inShort(last);
                if (!seen.getLast().equals(now)) seen.add(now);
            }

            assertThat(seen).containsExactly("[node-2, node-3]", "[node-1, node-2]");
            assertThat(last.lostNode()).contains("node-3");
        }
    }

    @Test
    void an_offline_node_and_a_controller_that_has_just_started_change_nothing_that_is_known() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0.1);
                PlacementSource source = cluster.source()) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");
            assertThat(read(source, volume("vol-1"))).isEqualTo("[node-2, node-3]");

            cluster.simulator().order("lose", "node", "node-2");
            assertThat(read(source, volume("vol-1"))).isEqualTo("[node-2, node-3]");
            cluster.simulator().order("back", "node", "node-2");
            cluster.simulator().order("restart");
            assertThat(read(source, volume("vol-1"))).isEqualTo("[node-2, node-3]");
        }
    }

    @Test
    void who_knows_nothing_yet_learns_nothing_from_them() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0.1);
                PlacementSource source = cluster.source()) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");
            cluster.simulator().order("restart");

            assertThat(read(source, volume("vol-1"))).startsWith("unknown: node node-");
            Thread.sleep(600);
            assertThat(read(source, volume("vol-1"))).isEqualTo("[node-2, node-3]");
        }
    }

    @Test
    void a_hung_satellite_costs_time_and_no_reading() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0.1);
                PlacementSource source = cluster.source()) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");
            read(source, volume("vol-1"));
            cluster.simulator().order("hang", "node", "node-2");

            assertThat(read(source, volume("vol-1"))).isEqualTo("[node-2, node-3]");
        }
    }

    @Test
    void no_replica_with_data_no_definition_no_volume_and_no_handle_are_unknown() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                PlacementSource source = cluster.source()) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");
            cluster.simulator().order("disk", "resource", "vol-1", "node", "node-2", "state", "Inconsistent");
            cluster.simulator().order("disk", "resource", "vol-1", "node", "node-3", "state", "Failed");

            assertThat(read(source, volume("vol-1"))).startsWith("unknown: no replica has");
            assertThat(read(source, volume("vol-9"))).startsWith("unknown: LINSTOR has no resource definition");
            assertThat(read(source, volume("vol-1/7"))).startsWith("unknown: LINSTOR's resource vol-1 has no volume 7");
            assertThat(read(source, volume("../nodes"))).startsWith("unknown: its handle is not LINSTOR's");
            assertThat(read(source, volume("vol-1/65536"))).startsWith("unknown: its handle is not LINSTOR's");
        }
    }

    @Test
    void the_marks_of_the_former_controller_hold() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                PlacementSource source = cluster.source()) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");
            PlacedVolume plain = volume("vol-1");
            PlacedVolume marked = new PlacedVolume(
                    plain.name(),
                    plain.driver(),
                    plain.handle(),
                    Map.of(),
                    Map.of("piraeus.io/skip-affinity-controller", "1"),
                    Optional.empty(),
                    plain.classParameters());
            assertThat(read(source, marked)).startsWith("unknown: the PersistentVolume has the annotation");

            cluster.call(
                    "PUT",
                    "/v1/resource-definitions/vol-1",
                    "{\"override_props\": {\"Aux/affinity-updater-skip\": \"1\"}}");
            assertThat(read(source, plain)).startsWith("unknown: the resource definition has the property");
        }
    }

    @Test
    void many_volumes_cost_few_calls() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                PlacementSource source = cluster.source()) {
            List<PlacedVolume> all = new ArrayList<>();
            for (int at : IntStream.range(0, 30).toArray()) {
                cluster.resource("drbd", "vol-" + at, "node-2", "node-3");
                all.add(volume("vol-" + at));
            }
            source.read(all);
            cluster.simulator().clearCalls();

            assertThat(source.read(all).values())
                    .extracting(LinstorCluster::inShort)
                    .containsOnly("[node-2, node-3]");
            assertThat(cluster.simulator().calls()).hasSize(3);
        }
    }

    @Test
    void a_large_cluster_is_read_in_pages_and_none_is_left_out() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                PlacementSource source = cluster.source()) {
            List<PlacedVolume> all = new ArrayList<>();
            for (int at : IntStream.range(0, 501).toArray()) {
                cluster.resource("plain", "vol-" + at, "node-2");
                all.add(volume("vol-" + at));
            }
            source.read(all);
            cluster.simulator().clearCalls();

            assertThat(source.read(all).values())
                    .hasSize(501)
                    .extracting(LinstorCluster::inShort)
                    .containsOnly("[node-2]");
            assertThat(cluster.simulator().calls()).hasSize(5);
        }
    }
}
