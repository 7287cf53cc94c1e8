package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A release that is to go while it has volumes, and nodes that come and go, with real Helm, kubelets and mounts
 * ({@code lab/deploy lifecycle}).
 */
@OnCluster
class LifecycleOnClusterTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final String RELEASE = "fairlead-lifecycle";
    private static final String TAINT = "lifecycle.fairlead.dev/agent-not-ready";

    private final KubeCluster cluster;
    private final Namespace space;
    private final Namespace release;

    LifecycleOnClusterTest(KubeCluster cluster) {
        this.cluster = cluster;
        this.space = new Namespace(cluster, "lifecycle-test");
        this.release = new Namespace(cluster, RELEASE);
    }

    @BeforeEach
    void install() throws IOException {
        cluster.deploy(Duration.ofMinutes(8), "lifecycle");
        space.make();
    }

    @AfterEach
    void remove() throws IOException {
        cluster.kubectl(SOON, "uncordon", "node-2");
        space.remove();
    }

    @Test
    void a_release_with_volumes_is_not_uninstalled_and_goes_once_they_are_gone() throws IOException {
        volumeOn("node-1");
        String volume = space.kubectl(SOON, "get", "pvc", "data", "-o", "jsonpath={.spec.volumeName}");

        Throwable refused = catchThrowable(() -> helm("uninstall", RELEASE));
        assertThat(refused)
                .hasMessageContaining("NOT UNINSTALLED: of lifecycle.fairlead.dev 1 volume is left")
                .hasMessageContaining("volume " + volume + ", Bound, claim lifecycle-test/data")
                .hasMessageContaining("helm uninstall fairlead-lifecycle -n fairlead-lifecycle --no-hooks");

        // Nothing was removed; the Job stays to be read, and what it was allowed is gone.
        assertThat(driverOn("node-1")).isNotEmpty();
        assertThat(release.kubectl(SOON, "logs", "job/" + RELEASE + "-uninstall-check"))
                .contains(volume);
        assertThat(release.names("serviceaccounts", "{.metadata.name}"))
                .doesNotContainKey(RELEASE + "-uninstall-check");
        assertThat(release.names("clusterrolebindings", "{.metadata.name}"))
                .doesNotContainKey(RELEASE + "-uninstall-check");
        String before = driverOn("node-1");
        helm("rollback", RELEASE, advisedRevision(refused.toString()));
        assertThat(helm("status", RELEASE)).contains("STATUS: deployed");
        assertThat(driverOn("node-1")).isEqualTo(before);

        space.removeClaims();
        space.eventually(
                LONG, () -> assertThat(space.names("pv", "{.metadata.name}")).doesNotContainKey(volume));
        helm("uninstall", RELEASE, "--wait");
        assertThat(release.kubectl(SOON, "get", "jobs,serviceaccounts", "-o", "name"))
                .isEqualTo("serviceaccount/default\n");
    }

    @Test
    void a_release_with_volumes_goes_where_that_is_wanted_and_another_one_takes_them_over() throws IOException {
        volumeOn("node-1");

        helm("uninstall", RELEASE, "--no-hooks", "--wait");
        install();

        space.kubectl(LONG, "delete", "pod/user", "--timeout=100s");
        space.apply(Manifests.pod("user", "data", "node-1", "test -e /data/word"));
        space.ready("user");
    }

    @Test
    void a_node_loses_its_startup_taint_once_the_driver_is_registered() throws IOException {
        cluster.kubectl(SOON, "taint", "node", "node-4", "--overwrite", TAINT + "=:NoSchedule");
        String before = driverOn("node-4");

        release.kubectl(LONG, "delete", before, "--timeout=100s");

        release.eventually(LONG, () -> assertThat(taints("node-4")).doesNotContain(TAINT));
        assertThat(driverOn("node-4")).isNotEqualTo(before);
    }

    @Test
    void on_a_node_that_is_drained_the_driver_stays_until_its_volumes_are_gone() throws IOException {
        volumeOn("node-2");
        String driver = driverOn("node-2");
        cluster.kubectl(SOON, "cordon", "node-2");

        release.kubectl(SOON, "delete", driver, "--wait=false");
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(8));
        assertThat(release.kubectl(SOON, "get", driver, "-o", "jsonpath={.metadata.deletionTimestamp} {.status.phase}"))
                .endsWith("Running");
        space.kubectl(LONG, "delete", "pod/user", "--timeout=60s");

        release.kubectl(SOON, "wait", "--for=delete", driver, "--timeout=25s");
    }

    @Test
    void on_a_node_that_stays_a_driver_is_renewed_at_once() throws IOException {
        volumeOn("node-2");
        String driver = driverOn("node-2");

        release.kubectl(SOON, "delete", driver, "--timeout=25s");

        assertThat(space.kubectl(SOON, "exec", "user", "--", "cat", "/data/word"))
                .isEqualTo("kept\n");
    }

    private static String advisedRevision(String message) {
        Matcher advice = Pattern.compile("helm rollback " + RELEASE + " (\\d+)").matcher(message);
        assertThat(advice.find()).as(message).isTrue();
        return advice.group(1);
    }

    private void volumeOn(String node) throws IOException {
        space.apply(Manifests.claim("data", "lifecycle"));
        space.apply(Manifests.pod("user", "data", node, "echo kept >/data/word; sync"));
        space.ready("user");
    }

    private String driverOn(String node) throws IOException {
        return release.kubectl(
                        SOON,
                        "get",
                        "pods",
                        "-l",
                        "app.kubernetes.io/csi-role=node",
                        "--field-selector",
                        "spec.nodeName=" + node,
                        "-o",
                        "name")
                .strip();
    }

    private String taints(String node) throws IOException {
        return cluster.kubectl(SOON, "get", "node", node, "-o", "jsonpath={.spec.taints[*].key}");
    }

    private String helm(String... words) throws IOException {
        String[] all = new String[words.length + 3];
        all[0] = "helm";
        System.arraycopy(words, 0, all, 1, words.length);
        all[words.length + 1] = "-n";
        all[words.length + 2] = RELEASE;
        return cluster.lab(LONG, all);
    }
}
