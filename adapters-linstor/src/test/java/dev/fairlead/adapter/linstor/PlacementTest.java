package dev.fairlead.adapter.linstor;

import static dev.fairlead.adapter.linstor.LinstorCluster.read;
import static dev.fairlead.adapter.linstor.LinstorCluster.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.testkit.Until;
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
    private static final PlacementHints NO_HINTS = new PlacementHints() {
        @Override
        public void moved(String handle) {}

        @Override
        public void anyMoved() {}
    };

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
    void policies_that_read_alike_do_not_share_what_they_allow() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                PlacementSource source = cluster.source()) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");
            cluster.resource("drbd", "vol-2", "node-2", "node-3");
            PlacedVolume twoKeys =
                    volume("vol-1", Map.of("allowRemoteVolumeAccess", "[{fromSame: [kubernetes.io/hostname, zone]}]"));
            PlacedVolume oneKey = volume(
                    "vol-2", Map.of("allowRemoteVolumeAccess", "[{fromSame: ['kubernetes.io/hostname, zone']}]"));

            Map<String, PlacementReading> both = source.read(List.of(twoKeys, oneKey));

            assertThat(both)
                    .extractingByKey("pv-vol-1")
                    .satisfies(reading ->
                            assertThat(LinstorCluster.inShort(reading)).isEqualTo("[node-2, node-3, z1]"));
            assertThat(both)
                    .extractingByKey("pv-vol-2")
                    .satisfies(reading ->
                            assertThat(LinstorCluster.inShort(reading)).isEqualTo("[node-2, node-3]"));
        }
    }

    @Test
    void anywhere_may_mean_each_node_that_has_linstor_s_label() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                PlacementSource source = cluster.source(true)) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");

            assertThat(read(source, volume("vol-1", Map.of()))).isEqualTo("label linbit.com/hostname");
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
            long settled = System.nanoTime() + 2_500_000_000L;
            long end = System.nanoTime() + 30_000_000_000L;
            while (System.nanoTime() < settled || (seen.size() < 2 && System.nanoTime() < end)) {
                PlacementReading reading = LinstorCluster.reading(source, volume("vol-1"));
                String now = LinstorCluster.inShort(reading);
                // What moves between the two looks of one reading is not told of in it, and is in the next.
                if (now.endsWith("two answers of LINSTOR name different replicas")) continue;
                last = reading;
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
        try (LinstorCluster cluster = new LinstorCluster(folder, 1.5);
                PlacementSource source = cluster.source()) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");
            cluster.simulator().order("restart");

            assertThat(read(source, volume("vol-1"))).startsWith("unknown: FL-AFF-001 node node-");
            Until.holds(() -> read(source, volume("vol-1")).equals("[node-2, node-3]"));
        }
    }

    @Test
    void a_satellite_that_is_connected_and_not_online_yet_says_nothing_new_of_plain_storage_either() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 4);
                PlacementSource source = cluster.source()) {
            cluster.resource("plain", "vol-1", "node-2");
            cluster.simulator().order("restart");
            Until.holds(() -> cluster.call("GET", "/v1/nodes", "").contains("\"CONNECTED\""));

            String reading = read(source, volume("vol-1"));

            assertThat(cluster.call("GET", "/v1/nodes", "")).contains("\"CONNECTED\"");
            assertThat(reading).startsWith("unknown: FL-AFF-001 node node-2 does not say");
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

            assertThat(read(source, volume("vol-1"))).startsWith("unknown: FL-AFF-004 no replica has");
            assertThat(read(source, volume("vol-9")))
                    .startsWith("unknown: FL-AFF-002 LINSTOR has no resource definition");
            assertThat(read(source, volume("vol-1/7"))).contains("FL-AFF-002", "vol-1 has no volume 7");
            assertThat(read(source, volume("../nodes"))).startsWith("unknown: FL-AFF-010 its handle is not LINSTOR's");
            assertThat(read(source, volume("vol-1/65536")))
                    .startsWith("unknown: FL-AFF-010 its handle is not LINSTOR's");
        }
    }

    @Test
    void without_data_nothing_is_anywhere_and_without_its_node_a_replica_is_nowhere() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                PlacementSource source = cluster.source();
                PlacementSource everywhere = cluster.source(true)) {
            cluster.resource("plain", "vol-1", "node-2");
            cluster.resource("drbd", "vol-2", "node-1");
            cluster.simulator().order("disk", "resource", "vol-2", "node", "node-1", "state", "Failed");
            assertThat(read(source, volume("vol-2", Map.of()))).startsWith("unknown: FL-AFF-004 no replica has");
            assertThat(read(everywhere, volume("vol-2", Map.of()))).startsWith("unknown: FL-AFF-004 no replica has");

            cluster.simulator().order("forget", "key", "node/node-2");
            assertThat(read(source, volume("vol-1"))).startsWith("unknown: FL-AFF-002 a replica is on node node-2");
            assertThat(read(source, volume("vol-1", Map.of())))
                    .startsWith("unknown: FL-AFF-002 a replica is on node node-2");
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
    void an_idle_cluster_costs_two_streams_and_three_calls_for_each_look() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                PlacementSource source = cluster.source()) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");
            read(source, volume("vol-1"));
            cluster.simulator().clearCalls();

            source.listen(NO_HINTS);
            for (int at = 0; at < 10; at++) read(source, volume("vol-1"));
            Until.holds(() -> cluster.simulator().listening() == 2);

            assertThat(cluster.simulator().calls()).hasSize(2 + 10 * 3);
        }
    }

    @Test
    void a_large_cluster_is_read_in_three_requests_and_none_is_left_out() throws Exception {
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
            assertThat(cluster.simulator().calls()).hasSize(3);
        }
    }
}
