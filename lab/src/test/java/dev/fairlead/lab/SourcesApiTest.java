package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.VolumeContentSource;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver on a node, and a real API server that knows of volumes, with the rights that the chart gives. */
@Tag("cluster")
class SourcesApiTest {
    private static final String OBJECTS = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: driver}
            rules:
            - {apiGroups: [""], resources: [persistentvolumes], verbs: [get, list]}
            - {apiGroups: [snapshot.storage.k8s.io], resources: [volumesnapshotcontents], verbs: [get, list]}
            - {apiGroups: [storage.k8s.io], resources: [csinodes, storageclasses], verbs: [get]}
            - {apiGroups: [""], resources: [persistentvolumeclaims], verbs: [get, update]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: driver}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: driver}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: driver}]
            ---
            apiVersion: storage.k8s.io/v1
            kind: CSINode
            metadata: {name: n2}
            spec: {drivers: [{name: lab.fairlead.dev, nodeID: n2, topologyKeys: [topology.fairlead.dev/node]}]}
            ---
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: by-hand}
            spec:
              accessModes: [ReadWriteOnce]
              capacity: {storage: 1Mi}
              csi: {driver: lab.fairlead.dev, volumeHandle: "v:c1/there"}
              nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [
                {key: topology.fairlead.dev/node, operator: In, values: [n2]}]}]}}
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: copy, namespace: default, annotations: {volume.kubernetes.io/selected-node: n1}}
            spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}
            """;

    @TempDir
    Path folder;

    @Test
    void a_source_that_another_node_has_is_told_from_one_that_never_was() throws Exception {
        for (String name : List.of("etcd", "kube-apiserver", "kubectl")) {
            Needs.nothingAgainst(
                    LoopbackApi.program(name).isPresent()
                            ? Optional.empty()
                            : Optional.of(name + " is not built (lab/kube up builds it)"));
        }
        try (LoopbackApi api = LoopbackApi.start(folder.resolve("api"))) {
            api.apply(OBJECTS);
            try (Replica driver = driver(api)) {
                await(driver);
                ask(api, driver);
            }
        }
    }

    private static void ask(LoopbackApi api, Replica driver) throws Exception {
        try (CsiClient client = new CsiClient(driver.socket())) {
            assertThat(refusal(client, CsiClient.fromVolume("v:c1/there")))
                    .isEqualTo(
                            "RESOURCE_EXHAUSTED: FL-TOPO-002 v:c1/there is on another node: PersistentVolume by-hand is"
                                    + " of the node n2; the claim goes to n2, and the scheduler moves its pod there");
            assertThat(api.kubectl("get", "pvc", "copy", "-o", "jsonpath={.metadata.annotations}"))
                    .contains("\"volume.kubernetes.io/selected-node\":\"n2\"");
            assertThat(refusal(client, CsiClient.fromVolume("v:c1/there")))
                    .endsWith("the scheduler chooses again, until it comes upon n2");
            assertThat(refusal(client, CsiClient.fromVolume("v:c1/never"))).startsWith("NOT_FOUND: FL-VOL-001");
            assertThat(refusal(client, CsiClient.fromSnapshot("s:c1/never")))
                    .as("a server that knows no snapshots")
                    .startsWith("INTERNAL: FL-KUBE-002");

            api.freeze();
            try {
                assertThat(refusal(client, CsiClient.fromVolume("v:c1/there"))).startsWith("UNAVAILABLE: FL-KUBE-001");
            } finally {
                api.thaw();
            }
        }
    }

    private static String refusal(CsiClient client, VolumeContentSource source) {
        Map<String, String> parameters = Map.of(
                "connection",
                "c1",
                "csi.storage.k8s.io/pvc/name",
                "copy",
                "csi.storage.k8s.io/pvc/namespace",
                "default");
        try {
            return "made: "
                    + client.create(CsiClient.request("copy", parameters)
                            .setVolumeContentSource(source)
                            .build());
        } catch (StatusRuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private Replica driver(LoopbackApi api) throws Exception {
        Path base = Files.createDirectories(folder.resolve("volumes"));
        Files.createDirectories(folder.resolve("connections"));
        Files.writeString(folder.resolve("connections/c1.yaml"), """
                driver: local-hostpath
                local-hostpath: {shareBasePath: %s, controllerBasePath: %s}
                """.formatted(base, base));
        Path main = Files.writeString(folder.resolve("driver.yaml"), """
                driver: proxy
                proxy: {configFolder: %s, nodeTopology: {type: node, prefix: topology.fairlead.dev}}
                """.formatted(folder.resolve("connections")));
        List<String> command = new ArrayList<>(DriverFixture.launcherCommand(""));
        command.addAll(List.of(
                "--csi-name=lab.fairlead.dev",
                "--csi-mode=controller",
                "--csi-mode=node",
                "--kubernetes-sources",
                "--driver-config-file=" + main));
        return Replica.start(
                "driver",
                command,
                Map.of("KUBECONFIG", api.driverKubeconfig().toString(), "CSI_NODE_ID", "n1"),
                folder);
    }

    private static void await(Replica driver) throws InterruptedException {
        long giveUp = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (!driver.serves()) {
            assertThat(System.nanoTime()).as("it serves").isLessThan(giveUp);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
