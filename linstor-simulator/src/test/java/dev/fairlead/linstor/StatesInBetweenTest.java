package dev.fairlead.linstor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real cluster showed between two good states has to be seen here too: the recorded timelines, faster. */
class StatesInBetweenTest {
    private static final double FAST = 0.05;

    @TempDir
    private Path folder;

    @Test
    void evacuation_shows_a_replica_without_flags_and_without_data_and_then_two_with_data() throws Exception {
        try (LinstorSimulator simulator = LinstorSimulator.start(folder, 0, 0, 3 * FAST)) {
            ThreeNodes cluster = ThreeNodes.of(simulator);
            cluster.replicated("vol-1", "node-2", "node-3");

            cluster.call("PUT", "/v1/nodes/node-3/evacuate", "");
            List<String> seen = cluster.watched("vol-1", 2500);

            assertThat(seen)
                    .containsSubsequence(
                            "node-1[DISKLESS, DISK_ADDING, DISK_ADD_REQUESTED, DRBD_DISKLESS, TIE_BREAKER]Diskless"
                                    + " node-2[]UpToDate node-3[EVACUATE]UpToDate",
                            "node-1[]Diskless node-2[]UpToDate node-3[EVACUATE]UpToDate",
                            "node-1[]UpToDate node-2[]UpToDate node-3[DELETE, EVACUATE]UpToDate",
                            "node-1[]UpToDate node-2[]UpToDate node-3[DELETE, EVACUATE]none",
                            "node-1[]UpToDate node-2[]UpToDate");
        }
    }

    @Test
    void a_hung_satellite_stalls_a_view_then_comes_an_error_without_words_then_its_disk_has_no_state()
            throws Exception {
        try (LinstorSimulator simulator = LinstorSimulator.start(folder, 0, 0, FAST)) {
            ThreeNodes cluster = ThreeNodes.of(simulator);
            cluster.replicated("vol-1", "node-2", "node-3");
            simulator.order("hang", "node", "node-2");

            long start = System.nanoTime();
            String first = cluster.call("GET", "/v1/view/resources?cached=true", "");

            assertThat(System.nanoTime() - start).isGreaterThan((long) (6_000_000_000L * FAST));
            assertThat(first).startsWith("500 ").doesNotContain("message");
            assertThat(cluster.seen("vol-1")).contains("node-2[]none").contains("node-3[]UpToDate");
            assertThat(cluster.call("GET", "/v1/nodes?nodes=node-2", "")).contains("\"OFFLINE\"");
        }
    }

    @Test
    void after_a_start_all_nodes_are_offline_and_no_disk_has_a_state() throws Exception {
        try (LinstorSimulator simulator = LinstorSimulator.start(folder, 0, 0, FAST)) {
            ThreeNodes cluster = ThreeNodes.of(simulator);
            cluster.replicated("vol-1", "node-2", "node-3");

            simulator.order("restart");

            assertThat(cluster.call("GET", "/v1/nodes", "")).contains("OFFLINE").doesNotContain("ONLINE\"}");
            assertThat(cluster.seen("vol-1")).contains("node-2[]none");
            Thread.sleep(400);
            assertThat(cluster.seen("vol-1")).contains("node-2[]UpToDate");
        }
    }

    @Test
    void the_state_is_there_after_a_kill_that_cut_the_last_line_short() throws Exception {
        try (LinstorSimulator simulator = LinstorSimulator.start(folder, 0, 0, 0)) {
            ThreeNodes.of(simulator).replicated("vol-1", "node-2", "node-3");
        }
        Files.writeString(folder.resolve("journal"), "{\"node/node-9\": {\"x\": \"", StandardOpenOption.APPEND);
        Files.write(folder.resolve("journal"), new byte[] {(byte) 0xC3}, StandardOpenOption.APPEND); // half a letter

        try (LinstorSimulator again = LinstorSimulator.start(folder, 0, 0, 0)) {
            assertThat(new ThreeNodes(again).seen("vol-1")).contains("node-2[]UpToDate", "node-3[]UpToDate");
        }
    }

    @Test
    void node_events_name_the_new_state_twice_and_a_lost_promotion_has_no_flag() throws Exception {
        try (LinstorSimulator simulator = LinstorSimulator.start(folder, 0, 0, 0)) {
            ThreeNodes cluster = ThreeNodes.of(simulator);
            cluster.replicated("vol-1", "node-2", "node-3");
            try (Listening nodes = Listening.to(simulator.url() + "/v1/events/nodes");
                    Listening promotions = Listening.to(simulator.url() + "/v1/events/drbd/promotion")) {
                cluster.call("PUT", "/v1/nodes/node-1", "{\"override_props\": {\"Aux/x\": \"1\"}}");
                cluster.call("DELETE", "/v1/resource-definitions/vol-1/resources/node-1", "");

                assertThat(nodes.next()).isEqualTo("event: node-modified");
                String modified = nodes.next();
                assertThat(modified).contains("\"old_node\"", "\"new_node\"");
                assertThat(modified.split("Aux/x", -1)).hasSize(3);
                assertThat(promotions.next()).isEqualTo("event: may-promote-change");
                assertThat(promotions.next()).isEqualTo("data: {\"resource_name\":\"vol-1\",\"node_name\":\"node-1\"}");
            }
        }
    }
}
