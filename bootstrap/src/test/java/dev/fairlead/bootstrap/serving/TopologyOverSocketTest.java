package dev.fairlead.bootstrap.serving;

import static dev.fairlead.bootstrap.serving.RunningDriver.term;
import static dev.fairlead.bootstrap.serving.RunningDriver.volume;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CreateVolumeRequest;
import csi.v1.Topology;
import csi.v1.TopologyRequirement;
import csi.v1.Volume;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyOverSocketTest {
    @TempDir
    Path folder;

    @Test
    void a_class_of_several_connections_follows_topology() throws Exception {
        try (RunningDriver driver = ProxySteps.zones(folder)) {
            Volume volume = driver.controller()
                    .createVolume(volume("pvc-1", Map.of("connections", "a,b,c"))
                            .setAccessibilityRequirements(TopologyRequirement.newBuilder()
                                    .addRequisite(term("zone", "zone1"))
                                    .addRequisite(term("zone", "zone2"))
                                    .addPreferred(term("zone", "zone2")))
                            .build())
                    .getVolume();

            assertThat(volume.getVolumeId()).isEqualTo("v:c/pvc-1");
            assertThat(volume.getAccessibleTopologyList()).containsExactly(term("region", "region1", "zone", "zone2"));
        }
    }

    @Test
    void a_selector_finds_connections_by_their_labels() throws Exception {
        try (RunningDriver driver = ProxySteps.zones(folder)) {
            Volume volume = ProxySteps.create(driver, "pvc-1", Map.of("connectionSelector", "tier=fast"));

            assertThat(volume.getVolumeId()).isEqualTo("v:b/pvc-1");
        }
    }

    @Test
    void the_three_storage_classes_of_the_topology_document_do_what_it_says() throws Exception {
        try (RunningDriver driver = seed()) {
            Topology reported = term("region", "region1", "zone", "zone1").toBuilder()
                    .putSegments("custom.prefix/custom.name", "custom.value")
                    .build();
            Volume noRequirements = ProxySteps.create(driver, "pvc-1", Seeds.parameters("topology-class-1.yaml"));
            Volume allowed = driver.controller()
                    .createVolume(required("pvc-2", "topology-class-2.yaml", allowedTerm()))
                    .getVolume();
            Volume scheduled = driver.controller()
                    .createVolume(
                            required("pvc-3", "topology-class-3.yaml", term("region", "region1", "zone", "zone1")))
                    .getVolume();

            assertThat(List.of(noRequirements, allowed, scheduled))
                    .allSatisfy(volume ->
                            assertThat(volume.getAccessibleTopologyList()).containsExactly(reported));
            ProxySteps.assertRefused(
                    Status.Code.RESOURCE_EXHAUSTED,
                    () -> driver.controller()
                            .createVolume(required("pvc-4", "topology-class-3.yaml", term("zone", "zone2"))));
            assertThat(folder.resolve("volumes-c1/v")).isDirectoryNotContaining("glob:**pvc-4");
        }
    }

    @Test
    void every_shape_of_requirement_that_the_provisioner_sends_is_met_by_one_reachable_term() throws Exception {
        try (RunningDriver driver = seed()) {
            List<TopologyRequirement> met = List.of(
                    requirement(List.of(here()), List.of(here())),
                    requirement(List.of(elsewhere(), here()), List.of(here(), elsewhere())),
                    requirement(List.of(elsewhere(), here()), List.of(elsewhere(), here())),
                    requirement(List.of(term("zone", "zone1")), List.of()),
                    requirement(List.of(term("zone", "zone2"), term("zone", "zone1")), List.of()),
                    TopologyRequirement.getDefaultInstance());

            for (int i = 0; i < met.size(); i++) {
                Volume volume = driver.controller()
                        .createVolume(volume("pvc-" + i, Map.of("connection", "c1"))
                                .setAccessibilityRequirements(met.get(i))
                                .build())
                        .getVolume();
                assertThat(volume.getVolumeId()).isEqualTo("v:c1/pvc-" + i);
            }
            ProxySteps.assertRefused(
                    Status.Code.RESOURCE_EXHAUSTED,
                    () -> driver.controller()
                            .createVolume(volume("pvc-no", Map.of("connection", "c1"))
                                    .setAccessibilityRequirements(
                                            requirement(List.of(elsewhere()), List.of(elsewhere())))
                                    .build()));
        }
    }

    /** The main file of the proxy document, and the connection of the topology document. */
    private RunningDriver seed() throws IOException, InterruptedException {
        String main = Seeds.text("proxy-driver.yaml").replace("/mnt/connections/", "@DIR@/connections/");
        return new RunningDriver(folder)
                .main(main)
                .localConnection("c1", Seeds.text("topology-connection.yaml"))
                .start("controller");
    }

    private static Topology allowedTerm() {
        var allowed = Seeds.yaml("topology-class-2.yaml")
                .children("allowedTopologies")
                .getFirst()
                .children("matchLabelExpressions")
                .getFirst();
        return Topology.newBuilder()
                .putSegments(
                        allowed.string("key").orElseThrow(),
                        allowed.strings("values").getFirst())
                .build();
    }

    private static CreateVolumeRequest required(String name, String storageClass, Topology term) {
        return volume(name, Seeds.parameters(storageClass))
                .setAccessibilityRequirements(requirement(List.of(term), List.of(term)))
                .build();
    }

    private static TopologyRequirement requirement(List<Topology> requisite, List<Topology> preferred) {
        return TopologyRequirement.newBuilder()
                .addAllRequisite(requisite)
                .addAllPreferred(preferred)
                .build();
    }

    private static Topology here() {
        return term("region", "region1", "zone", "zone1");
    }

    private static Topology elsewhere() {
        return term("region", "region1", "zone", "zone2");
    }
}
