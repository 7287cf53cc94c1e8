package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * democratic-csi's page on topology, its values, its connection and each of its StorageClasses as they stand there
 * ({@code lab/deploy.d/proxy-topology}), with the provisioner's {@code --strict-topology} both ways. Of four nodes the
 * two in zone-1 are the page's zone1, and of them node-4 alone has the label that the connection adds.
 */
@OnCluster
@ParameterizedClass(name = "--strict-topology={0}")
@ValueSource(booleans = {true, false})
class ProxyTopologyOnClusterTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final String DEPLOYMENT = "proxy-topology";
    private static final String RELEASE = "fairlead-" + DEPLOYMENT;
    private static final String CLASS = "s1";

    /** What the lab has in place of a storage system of zone1. */
    private static final String FOLDER = """
            driver: local-hostpath
            local-hostpath: {shareBasePath: /srv/zones/zone-1/page, controllerBasePath: /srv/all-zones/zone-1/page}
            fairlead: {baseFolder: create}
            """;

    private static final String TWO_ENTRIES = """
            driver: local-hostpath
            local-hostpath: {shareBasePath: /srv/shared/page, controllerBasePath: /srv/shared/page}
            fairlead: {baseFolder: create}
            proxy: {perDriver: {topology: [{requirements: {zone: zone1}}, {requirements: {zone: zone2}}]}}
            """;

    private static final String AFFINITY = """
            required:
              nodeSelectorTerms:
                - matchExpressions:
                    - {key: org.democratic-csi.topology/region, operator: In, values: [region1]}
                    - {key: org.democratic-csi.topology/zone, operator: In, values: [zone1]}
                    - {key: custom.prefix/custom.name, operator: In, values: [custom.value]}
            """;

    private static final KubeCluster CLUSTER = new KubeCluster();

    private final boolean strict;
    private final Namespace space = new Namespace(CLUSTER, "proxy-topology-test");

    ProxyTopologyOnClusterTest(boolean strict) {
        this.strict = strict;
    }

    @BeforeParameterizedClassInvocation
    static void install(boolean strict) throws IOException {
        CLUSTER.apply(SOON, """
                apiVersion: v1
                kind: Namespace
                metadata: {name: %s, labels: {pod-security.kubernetes.io/enforce: privileged}}
                """.formatted(RELEASE));
        CLUSTER.apply(
                SOON, """
                apiVersion: v1
                kind: Secret
                metadata: {name: connections, namespace: %s}
                stringData:
                  c1.yaml: |
                %s
                  c2.yaml: |
                %s
                """.formatted(RELEASE, (FOLDER + page("connection.yaml")).indent(4), TWO_ENTRIES.indent(4)));
        CLUSTER.kubectl(SOON, "label", "node", "node-4", "custom.prefix/custom.name=custom.value", "--overwrite");
        CLUSTER.onNode(SOON, "node-3", "sh", "-c", "mkdir -p /srv/local/place && echo zone3 >/srv/local/place/zone");
        CLUSTER.deploy(
                Duration.ofMinutes(8),
                DEPLOYMENT,
                "--values",
                pageFile("values.yaml").toString(),
                "--set",
                "controller.externalProvisioner.extraArgs[1]=--strict-topology=" + strict);
    }

    @AfterParameterizedClassInvocation
    static void tidy() throws IOException {
        CLUSTER.kubectl(SOON, "label", "node", "node-4", "custom.prefix/custom.name-");
        CLUSTER.undeploy(LONG, DEPLOYMENT);
    }

    @BeforeEach
    void make() throws IOException {
        space.make();
    }

    @AfterEach
    void remove() throws IOException {
        space.remove();
        space.kubectl(SOON, "delete", "storageclass", CLASS, "--ignore-not-found");
    }

    @Test
    void without_requirements_the_connection_decides_and_the_pod_follows() throws IOException {
        CLUSTER.apply(SOON, page("1-no-requirements.yaml"));
        space.apply(Manifests.claim("data", CLASS));
        bound();
        space.apply(Manifests.podAnywhere("user", "data", "echo here >/data/word"));
        space.ready("user");

        assertThat(affinity()).isEqualTo(AnyOrder.parse(AFFINITY));
        assertVolumeIsWhereThePodIs();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Immediate", "WaitForFirstConsumer"})
    void a_class_that_names_the_zone_of_its_connection_is_served_in_both_binding_modes(String mode) throws IOException {
        CLUSTER.apply(SOON, classRequires(mode));
        space.apply(Manifests.claim("data", CLASS));
        space.apply(Manifests.podAnywhere("user", "data", "echo here >/data/word"));
        space.ready("user");

        assertThat(affinity()).isEqualTo(AnyOrder.parse(AFFINITY));
        assertVolumeIsWhereThePodIs();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Immediate", "WaitForFirstConsumer"})
    void a_class_that_names_another_zone_than_its_connection_is_refused_and_leaves_nothing(String mode)
            throws IOException {
        CLUSTER.apply(SOON, classRequires(mode).replace("- zone1", "- zone2"));
        space.apply(Manifests.claim("data", CLASS));
        space.apply(Manifests.podAnywhere("user", "data", "true"));

        assertRefused();
    }

    @Test
    void a_pod_in_the_zone_of_the_connection_gets_its_volume() throws IOException {
        CLUSTER.apply(SOON, page("3-pod-requires.yaml"));
        space.apply(Manifests.claim("data", CLASS));
        space.apply(
                Manifests.podIn("org.democratic-csi.topology/zone", "zone1", "user", "data", "echo here >/data/word"));
        space.ready("user");

        assertThat(affinity()).isEqualTo(AnyOrder.parse(AFFINITY));
        assertVolumeIsWhereThePodIs();
    }

    @ParameterizedTest
    @ValueSource(strings = {"zone2", "zone3"})
    void a_pod_in_another_zone_is_refused_where_it_decides_and_else_waits_for_its_volume(String zone)
            throws IOException {
        CLUSTER.apply(SOON, page("3-pod-requires.yaml"));
        space.apply(Manifests.claim("data", CLASS));
        space.apply(Manifests.podIn("org.democratic-csi.topology/zone", zone, "user", "data", "true"));

        if (strict) {
            assertRefused();
        } else {
            bound();
            assertThat(affinity()).isEqualTo(AnyOrder.parse(AFFINITY));
            space.eventually(
                    LONG,
                    () -> assertThat(space.events("user")).containsAnyOf("volume node affinity", "PersistentVolume"));
            assertThat(space.names("pods", "{.status.phase}")).containsEntry("user", "Pending");
        }
    }

    @Test
    void each_entry_of_a_connection_is_a_term_of_its_own() throws IOException {
        CLUSTER.apply(SOON, page("1-no-requirements.yaml").replace("connection: c1", "connection: c2"));
        space.apply(Manifests.claim("data", CLASS));
        bound();
        space.apply(Manifests.podIn("org.democratic-csi.topology/zone", "zone2", "user", "data", "true"));
        space.ready("user");

        assertThat(affinity()).isEqualTo(AnyOrder.parse("""
                required:
                  nodeSelectorTerms:
                    - matchExpressions: [{key: org.democratic-csi.topology/zone, operator: In, values: [zone1]}]
                    - matchExpressions: [{key: org.democratic-csi.topology/zone, operator: In, values: [zone2]}]
                """));
    }

    /** node-4 is the one node with all three labels, and its zone's folder holds what the pod wrote. */
    private void assertVolumeIsWhereThePodIs() throws IOException {
        String handle = volume("{.spec.csi.volumeHandle}");
        assertThat(handle).startsWith("v:c1/");
        assertThat(space.names("pods", "{.spec.nodeName}")).containsEntry("user", "node-4");
        String path = "/srv/zones/zone-1/page/v/" + handle.substring("v:c1/".length()) + "/word";
        assertThat(CLUSTER.onNode(SOON, "node-4", "cat", path)).isEqualTo("here\n");
    }

    private void assertRefused() throws IOException {
        space.eventually(
                LONG,
                () -> assertThat(space.events("data")).contains("FL-TOPO-001").contains("c1"));
        assertThat(space.names("pvc", "{.status.phase}")).containsEntry("data", "Pending");
        assertThat(CLUSTER.onNode(SOON, "node-1", "sh", "-c", "ls /srv/zones/zone-1/page/v 2>/dev/null || true"))
                .isEmpty();
    }

    private void bound() throws IOException {
        space.kubectl(LONG, "wait", "--for=jsonpath={.status.phase}=Bound", "pvc/data", "--timeout=120s");
    }

    private String volume(String path) throws IOException {
        String name = space.kubectl(SOON, "get", "pvc", "data", "-o", "jsonpath={.spec.volumeName}");
        return CLUSTER.kubectl(SOON, "get", "pv", name, "-o", "jsonpath=" + path);
    }

    private Object affinity() throws IOException {
        return AnyOrder.parse(volume("{.spec.nodeAffinity}"));
    }

    private static String classRequires(String mode) throws IOException {
        return page("2-storage-class-requires.yaml")
                .replace("\nvolumeBindingMode: Immediate", "\nvolumeBindingMode: " + mode);
    }

    private static String page(String document) throws IOException {
        return Files.readString(pageFile(document));
    }

    private static Path pageFile(String document) {
        return CLUSTER.file("deploy.d", DEPLOYMENT, document);
    }
}
