package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A controller, a provisioner and a snapshotter on each of four real nodes ({@code lab/deploy node-local}). */
@OnCluster
class NodeLocalOnClusterTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final String RELEASE = "fairlead-node-local";
    private static final String CLASS = "node-local";
    private static final String SPACE = "node-local-test";
    private static final List<String> BY_HAND = List.of("never-was", "without", "labelled");

    private final Namespace space;
    private final KubeCluster cluster;

    NodeLocalOnClusterTest(KubeCluster cluster) {
        this.cluster = cluster;
        this.space = new Namespace(cluster, SPACE);
    }

    @BeforeAll
    static void install(KubeCluster cluster) throws IOException {
        cluster.deploy(Duration.ofMinutes(8), "node-local");
    }

    @BeforeEach
    void make() throws IOException {
        space.make();
        // What an earlier test was told of claims of the same names.
        space.kubectl(LONG, "delete", "events", "--all");
    }

    @AfterEach
    void remove() throws IOException {
        space.removeClaims();
        // Not waited for: the snapshots stay until the contents are gone, and nobody else takes those made by hand
        // away.
        space.kubectl(LONG, "delete", "volumesnapshots", "--all", "--wait=false");
        String there = cluster.kubectl(SOON, "get", "volumesnapshotcontents", "-o", "name");
        for (String content : BY_HAND) {
            if (there.contains("/" + content + "\n")) {
                forget("volumesnapshotcontent/" + content);
            }
        }
        space.eventually(
                LONG,
                () -> assertThat(space.kubectl(SOON, "get", "volumesnapshots", "-o", "name"))
                        .isEmpty());
        space.remove();
    }

    @Test
    void a_volume_is_made_on_the_node_of_its_pod_and_stays_there() throws IOException {
        space.apply(Manifests.claim("data", CLASS));
        space.apply(Manifests.pod("first", "data", "node-2", "echo kept >/data/word; sync"));
        space.ready("first");
        String volume = volume("data");

        assertThat(affinity(volume)).isEqualTo("topology.fairlead.dev/node=node-2");
        assertThat(cluster.onNode(SOON, "node-2", "cat", "/srv/local/volumes/v/" + volume + "/word"))
                .isEqualTo("kept\n");

        space.kubectl(LONG, "delete", "pod/first", "--grace-period=0", "--timeout=60s");
        space.apply(Manifests.pod("second", "data", "test -s /data/word"));
        space.ready("second");

        assertThat(node("second")).isEqualTo("node-2");
    }

    /** The node of the source is the one that the scheduler likes least, and would never choose by itself. */
    @ParameterizedTest
    @ValueSource(strings = {"VolumeSnapshot", "PersistentVolumeClaim"})
    void content_of_another_node_brings_the_pod_to_that_node(String kind) throws IOException {
        space.apply(Manifests.ballast("weight", "node-3"));
        source("node-3");
        String source = kind.equals("VolumeSnapshot") ? "taken" : "source";

        space.apply(Manifests.claimFrom("copy", CLASS, kind, source));
        space.apply(Manifests.pod("reader", "copy", "test -s /data/word"));
        space.ready("reader");

        assertThat(node("reader")).isEqualTo("node-3");
        assertThat(space.kubectl(SOON, "exec", "reader", "--", "cat", "/data/word"))
                .isEqualTo("kept\n");
        assertThat(affinity(volume("copy"))).isEqualTo("topology.fairlead.dev/node=node-3");
        assertThat(space.events("copy"))
                .contains("FL-TOPO-002", "node-3", "the claim goes to node-3, and the scheduler moves its pod there")
                .doesNotContain("NotFound");
    }

    /** Its object says that it is on a node, whose folder says that it is not. */
    @Test
    void content_that_never_was_is_not_found() throws IOException {
        byHand("never-was", "s:local/never-was", Optional.empty());
        pretendReady("never-was", "s:local/never-was");
        // The node's snapshotter leaves alone what is ready by the time that it sees it.
        cluster.kubectl(
                SOON, "label", "volumesnapshotcontent/never-was", "snapshot.storage.kubernetes.io/managed-by=node-4");
        space.apply(Manifests.claimFrom("copy", CLASS, "VolumeSnapshot", "never-was"));
        space.apply(Manifests.pod("reader", "copy", "true"));

        space.eventually(
                LONG,
                () -> assertThat(space.events("copy"))
                        .contains("NotFound", "FL-SNAP-001 snapshot s:local/never-was does not exist"));
    }

    /** Why the storage suite's specs with such contents are left out, and what an operator does. */
    @Test
    void a_content_made_by_hand_is_taken_by_the_node_that_its_label_names_and_by_nobody_without() throws IOException {
        source("node-3");
        String handle = space.kubectl(
                SOON,
                "get",
                "volumesnapshotcontents",
                "-o",
                "jsonpath={.items[?(@.spec.volumeSnapshotRef.namespace==\"" + SPACE + "\")].status.snapshotHandle}");

        byHand("without", handle, Optional.empty());
        byHand("labelled", handle, Optional.of("node-3"));
        space.kubectl(
                LONG, "wait", "--for=jsonpath={.status.readyToUse}=true", "volumesnapshot/labelled", "--timeout=60s");

        assertThat(cluster.kubectl(SOON, "get", "volumesnapshotcontent", "without", "-o", "jsonpath={.status}"))
                .isEmpty();
        space.apply(Manifests.claimFrom("copy", CLASS, "VolumeSnapshot", "labelled"));
        space.apply(Manifests.pod("reader", "copy", "test -s /data/word"));
        space.ready("reader");
        assertThat(node("reader")).isEqualTo("node-3");
    }

    @Test
    void each_node_publishes_its_capacity_and_the_daemon_set_owns_it() throws IOException {
        Map<String, String> owners = new TreeMap<>();
        space.eventually(LONG, () -> {
            owners.clear();
            cluster.kubectl(
                            SOON,
                            "-n",
                            RELEASE,
                            "get",
                            "csistoragecapacities",
                            "-o",
                            "jsonpath={range .items[?(@.storageClassName==\"" + CLASS + "\")]}"
                                    + "{.nodeTopology.matchLabels.topology\\.fairlead\\.dev/node}="
                                    + "{.metadata.ownerReferences[*].kind}/{.metadata.ownerReferences[*].name} {.capacity}"
                                    + "{'\\n'}{end}")
                    .lines()
                    .forEach(line -> owners.put(line.replaceFirst("=.*", ""), line.replaceFirst("[^=]*=", "")));
            // A node that was removed leaves its own behind, since the DaemonSet that owns it is still there.
            assertThat(owners).containsKeys("node-1", "node-2", "node-3", "node-4");
        });

        assertThat(owners.values())
                .allSatisfy(
                        owner -> assertThat(owner).matches("DaemonSet/fairlead-node-local-node [1-9][0-9]*[A-Za-z]*"));
    }

    /** A volume with a word in it, and a snapshot of it. */
    private void source(String node) throws IOException {
        space.apply(Manifests.claim("source", CLASS));
        space.apply(Manifests.pod("writer", "source", node, "echo kept >/data/word; sync"));
        space.ready("writer");
        space.apply(Manifests.snapshot("taken", CLASS, "source"));
        space.kubectl(
                LONG, "wait", "--for=jsonpath={.status.readyToUse}=true", "volumesnapshot/taken", "--timeout=60s");
    }

    /**
     * Nobody takes the protection off a content that no snapshotter knows; before it is deleted, it would be put back.
     */
    private void forget(String content) throws IOException {
        cluster.kubectl(SOON, "delete", content, "--wait=false");
        space.eventually(LONG, () -> {
            String left = cluster.kubectl(SOON, "get", content, "--ignore-not-found", "-o", "name");
            if (!left.isEmpty()) {
                unprotect(content);
            }
            assertThat(left).isEmpty();
        });
    }

    private void unprotect(String content) throws IOException {
        try {
            cluster.kubectl(
                    SOON, "patch", content, "--type=merge", "--patch", "{\"metadata\": {\"finalizers\": null}}");
        } catch (IOException gone) {
            assertThat(gone).hasMessageContaining("NotFound");
        }
    }

    /** A snapshot of a content that a person made, for what was there before. */
    private void byHand(String name, String handle, Optional<String> node) throws IOException {
        String label = node.map(it -> ", labels: {snapshot.storage.kubernetes.io/managed-by: " + it + "}")
                .orElse("");
        cluster.apply(LONG, """
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshotContent
                metadata: {name: %1$s%2$s}
                spec:
                  deletionPolicy: Retain
                  driver: local.fairlead.dev
                  source: {snapshotHandle: "%3$s"}
                  volumeSnapshotRef: {name: %1$s, namespace: %4$s}
                """.formatted(name, label, handle, SPACE));
        space.apply("""
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshot
                metadata: {name: %1$s}
                spec: {source: {volumeSnapshotContentName: %1$s}}
                """.formatted(name));
    }

    /** The snapshotter would not say it of this one. */
    private void pretendReady(String snapshot, String handle) throws IOException {
        space.eventually(LONG, () -> {
            cluster.kubectl(
                    SOON,
                    "patch",
                    "volumesnapshotcontent/" + snapshot,
                    "--subresource=status",
                    "--type=merge",
                    "--patch",
                    """
                    {"status": {"readyToUse": true, "snapshotHandle": "%s", "restoreSize": 1048576,
                     "creationTime": 1700000000000000000, "error": null}}""".formatted(handle));
            assertThat(space.kubectl(SOON, "get", "volumesnapshot", snapshot, "-o", "jsonpath={.status.readyToUse}"))
                    .isEqualTo("true");
        });
    }

    private String node(String pod) throws IOException {
        return space.kubectl(SOON, "get", "pod", pod, "-o", "jsonpath={.spec.nodeName}");
    }

    private String volume(String claim) throws IOException {
        return space.kubectl(SOON, "get", "pvc", claim, "-o", "jsonpath={.spec.volumeName}");
    }

    private String affinity(String volume) throws IOException {
        return space.names("pv", Manifests.AFFINITY_KEYS).get(volume) + "="
                + space.names("pv", Manifests.AFFINITY_VALUES).get(volume);
    }
}
