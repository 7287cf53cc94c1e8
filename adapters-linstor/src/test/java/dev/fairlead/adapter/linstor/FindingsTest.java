package dev.fairlead.adapter.linstor;

import static dev.fairlead.adapter.linstor.LinstorCluster.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.affinity.VolumePlacement;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each thing that LINSTOR, a class or an annotation says wrongly has its finding, and with it its code. */
class FindingsTest {
    private static final String SHOWS_RESOURCES = "GET /v1/view/resources";

    @TempDir
    private Path folder;

    interface Step {
        void on(LinstorCluster cluster) throws Exception;
    }

    record Wrong(String what, AffinityFinding finding, PlacedVolume volume, Step step) {
        @Override
        public String toString() {
            return what;
        }
    }

    static Stream<Wrong> wrong() {
        Map<String, String> byZone = Map.of("allowRemoteVolumeAccess", "- fromSame: [zone]");
        return Stream.of(
                new Wrong(
                        "half a list",
                        AffinityFinding.CONTRADICTION,
                        volume("vol-1"),
                        cluster -> cluster.simulator()
                                .fault("{\"kind\": \"half-list\", \"on\": \"%s\", \"times\": 1}"
                                        .formatted(SHOWS_RESOURCES))),
                new Wrong("a deleted resource", AffinityFinding.CONTRADICTION, volume("vol-9"), _ -> {}),
                new Wrong("another number", AffinityFinding.CONTRADICTION, volume("vol-1/7"), _ -> {}),
                new Wrong("a resource without replicas", AffinityFinding.NO_DATA, volume("vol-1"), cluster -> {
                    cluster.call("DELETE", "/v1/resource-definitions/vol-1/resources/node-2", "");
                    cluster.call("DELETE", "/v1/resource-definitions/vol-1/resources/node-3", "");
                    cluster.call("DELETE", "/v1/resource-definitions/vol-1/resources/node-1", "");
                }),
                new Wrong("a class that is gone", AffinityFinding.CLASS_MISSING, without(), _ -> {}),
                new Wrong(
                        "a class's policy that is rubbish",
                        AffinityFinding.UNREADABLE,
                        volume("vol-1", Map.of("allowRemoteVolumeAccess", "{[ \u0000")),
                        _ -> {}),
                new Wrong("an override that is rubbish", AffinityFinding.UNREADABLE, overridden(), _ -> {}),
                new Wrong(
                        "a node's property that is rubbish",
                        AffinityFinding.UNREADABLE,
                        volume("vol-1", byZone),
                        cluster -> cluster.call(
                                "PUT",
                                "/v1/nodes/node-2",
                                "{\"override_props\": {\"Aux/topology/zone\": \"{rubbish: \\u221e \\u0007}\"}}")),
                new Wrong("a handle that is rubbish", AffinityFinding.UNREADABLE, volume("../nodes?x"), _ -> {}));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void what_is_wrong_has_its_code_and_changes_nothing(Wrong wrong) throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                PlacementSource source = cluster.source()) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");
            wrong.step().on(cluster);

            VolumePlacement placement =
                    LinstorCluster.reading(source, wrong.volume()).placement();

            assertThat(placement).isInstanceOfSatisfying(VolumePlacement.Unknown.class, unknown -> {
                assertThat(unknown.finding()).as(unknown.reason()).contains(wrong.finding());
                assertThat(unknown.message()).startsWith(wrong.finding().code() + " ");
            });
        }
    }

    private static PlacedVolume without() {
        return changed(Map.of(), Optional.empty());
    }

    private static PlacedVolume overridden() {
        return changed(
                Map.of("override.piraeus.io/node-1", "- fromSame: {"),
                volume("vol-1").classParameters());
    }

    private static PlacedVolume changed(Map<String, String> annotations, Optional<Map<String, String>> parameters) {
        PlacedVolume plain = volume("vol-1");
        return new PlacedVolume(
                plain.name(),
                plain.driver(),
                plain.handle(),
                plain.attributes(),
                annotations,
                plain.storageClass(),
                parameters);
    }
}
