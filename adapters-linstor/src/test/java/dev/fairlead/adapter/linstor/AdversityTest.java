package dev.fairlead.adapter.linstor;

import static dev.fairlead.adapter.linstor.LinstorCluster.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever a controller answers wrongly, a volume is used where its data is, or nothing is said of it: no place is
 * added and none is taken away.
 */
class AdversityTest {
    private static final String[] LISTS = {"GET /v1/nodes", "GET /v1/resource-definitions", "GET /v1/view/resources"};
    private static final Map<String, String> ZONE = Map.of("allowRemoteVolumeAccess", "- fromSame: [zone]");

    @TempDir
    private Path folder;

    private LinstorCluster cluster;
    private PlacementSource source;

    @BeforeEach
    void up() throws Exception {
        cluster = new LinstorCluster(folder, 0);
        cluster.resource("drbd", "vol-1", "node-2", "node-3");
        source = cluster.source();
    }

    @AfterEach
    void down() {
        source.close();
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "html",
                "nothing",
                "half-text",
                "half-list",
                "stale",
                "older",
                "missing",
                "wordless",
                "cut",
                "switch"
            })
    void one_wrong_answer_to_whoever_has_seen_the_cluster_and_to_whoever_has_not(String kind) {
        for (String list : LISTS) {
            fault(kind, list, 1);
            assertThat(read("vol-1")).as("first, " + list).isIn("[node-2, node-3]", "unknown");
            cluster.simulator().mend();
            assertThat(read("vol-1")).as("then, " + list).isEqualTo("[node-2, node-3]");
            source.close();
            source = cluster.source();
        }
        assertThat(read("vol-1")).isEqualTo("[node-2, node-3]");
        for (String list : LISTS) {
            fault(kind, list, 1);
            assertThat(read("vol-1")).as("later, " + list).isIn("[node-2, node-3]", "unknown");
            cluster.simulator().mend();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"html", "nothing", "half-text", "half-list", "stale", "older", "missing"})
    void wrong_answers_that_do_not_end(String kind) throws Exception {
        plain("vol-2", "node-1", "node-2", "node-3");
        read("vol-1");
        read("vol-2");
        for (String list : LISTS) {
            fault(kind, list, 1000);
            assertThat(read("vol-1")).as(list).isIn("[node-2, node-3]", "unknown");
            assertThat(read("vol-2")).as(list).isIn("[node-1, node-2, node-3]", "unknown");
            cluster.simulator().mend();
        }
    }

    @ParameterizedTest
    @CsvSource({"half-list,1", "half-list,1000", "stale,1", "older,1", "older,1000"})
    void many_volumes_at_once(String kind, int times) throws Exception {
        Map<String, String> right = new TreeMap<>();
        List<PlacedVolume> all = new ArrayList<>();
        for (int at : IntStream.range(0, 7).toArray()) {
            plain("many-" + at, "node-1", "node-2", "node-3");
            all.add(volume("many-" + at));
            right.put("pv-many-" + at, "[node-1, node-2, node-3]");
        }
        for (int round = 0; round < 2; round++) {
            for (String list : LISTS) {
                fault(kind, list, times);
                read(all)
                        .forEach((name, now) ->
                                assertThat(now).as(name + ", " + list).isIn(right.get(name), "unknown"));
                cluster.simulator().mend();
            }
            assertThat(read(all)).isEqualTo(right);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void an_older_list_brings_no_replica_back_that_was_gone(int times) throws Exception {
        plain("vol-2", "node-1", "node-2");
        assertThat(read("vol-2")).isEqualTo("[node-1, node-2]");
        cluster.call("DELETE", "/v1/resource-definitions/vol-2/resources/node-1", "");
        assertThat(read("vol-2")).isEqualTo("[node-2]");

        fault("older", LISTS[2], times);

        assertThat(read("vol-2")).isEqualTo("unknown");
        cluster.simulator().mend();
        assertThat(read("vol-2")).isEqualTo("[node-2]");
    }

    @Test
    void an_older_list_does_not_take_a_replica_away_that_has_come() throws Exception {
        plain("vol-2", "node-1");
        assertThat(read("vol-2")).isEqualTo("[node-1]");
        cluster.call("POST", "/v1/resource-definitions/vol-2/resources/node-2/make-available", "{\"diskful\": true}");
        cluster.call("DELETE", "/v1/resource-definitions/vol-2/resources/node-1", "");
        assertThat(read("vol-2")).isEqualTo("[node-2]");

        fault("older", LISTS[2], 1);

        assertThat(read("vol-2")).isEqualTo("unknown");
        assertThat(read("vol-2")).isEqualTo("[node-2]");
    }

    @Test
    void an_older_state_of_a_disk_is_not_believed() throws Exception {
        assertThat(read("vol-1")).isEqualTo("[node-2, node-3]");
        cluster.simulator().order("disk", "resource", "vol-1", "node", "node-3", "state", "Inconsistent");
        assertThat(read("vol-1")).isEqualTo("[node-2]");

        fault("older", LISTS[2], 1);

        assertThat(read("vol-1")).isEqualTo("unknown");
        assertThat(read("vol-1")).isEqualTo("[node-2]");
    }

    @Test
    void an_older_property_of_a_node_is_not_believed() throws Exception {
        plain("vol-2", "node-1");
        assertThat(read(volume("vol-2", ZONE))).isEqualTo("[z0]");
        cluster.call("PUT", "/v1/nodes/node-1", "{\"override_props\": {\"Aux/topology/zone\": \"z7\"}}");
        assertThat(read(volume("vol-2", ZONE))).isEqualTo("[z7]");

        fault("older", LISTS[0], 1);

        assertThat(read(volume("vol-2", ZONE))).isEqualTo("unknown");
        assertThat(read(volume("vol-2", ZONE))).isEqualTo("[z7]");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    void half_a_list_of_nodes_takes_no_node_away_from_what_may_be_used_on_all(int times) throws Exception {
        plain("vol-2", "node-1");
        try (PlacementSource all = cluster.source(true)) {
            PlacedVolume anywhere = volume("vol-2", Map.of());
            fault("half-list", LISTS[0], times);
            assertThat(read(all, List.of(anywhere))).containsEntry("pv-vol-2", "unknown");
            cluster.simulator().mend();
            assertThat(read(all, List.of(anywhere))).containsEntry("pv-vol-2", "label linbit.com/hostname");

            fault("half-list", LISTS[0], times);
            assertThat(read(all, List.of(anywhere))).containsEntry("pv-vol-2", "unknown");
        }
    }

    @Test
    void what_looked_gone_for_long_and_is_there_again_is_believed_in_the_end() throws Exception {
        plain("vol-2", "node-1", "node-2");
        read("vol-2");
        var replica = cluster.simulator().order("dump").getAsJsonObject("resource/vol-2/node-1");
        cluster.simulator().order("forget", "key", "resource/vol-2/node-1");
        assertThat(read("vol-2")).isEqualTo("[node-2]");

        cluster.simulator().order("put", "key", "resource/vol-2/node-1", "row", replica);

        assertThat(read("vol-2")).isEqualTo("unknown");
        for (int at = 0; at < 20; at++) read("vol-2");
        assertThat(read("vol-2")).isEqualTo("[node-1, node-2]");
    }

    private void plain(String name, String... nodes) throws Exception {
        cluster.resource("plain", name, nodes);
    }

    private void fault(String kind, String list, int times) {
        cluster.simulator().fault("{\"kind\": \"%s\", \"on\": \"%s\", \"times\": %d}".formatted(kind, list, times));
    }

    private String read(String handle) {
        return read(volume(handle));
    }

    private String read(PlacedVolume volume) {
        return read(List.of(volume)).getOrDefault(volume.name(), "unknown");
    }

    private Map<String, String> read(List<PlacedVolume> volumes) {
        return read(source, volumes);
    }

    private static Map<String, String> read(PlacementSource source, List<PlacedVolume> volumes) {
        Map<String, PlacementReading> readings = new TreeMap<>();
        volumes.forEach(volume -> readings.put(volume.name(), PlacementReading.unknown("")));
        try {
            readings.putAll(source.read(volumes));
        } catch (StorageException _) {
            // Then all of them are unknown, which is what they are already.
        }
        Map<String, String> shown = new TreeMap<>();
        readings.forEach((name, reading) -> {
            String text = LinstorCluster.inShort(reading);
            shown.put(name, text.startsWith("unknown") ? "unknown" : text);
        });
        return shown;
    }
}
