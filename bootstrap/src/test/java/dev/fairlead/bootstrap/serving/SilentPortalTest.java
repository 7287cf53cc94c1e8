package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.NodeGrpc.NodeBlockingStub;
import csi.v1.ProbeRequest;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node plugin with volumes of two targets, from the port of one of which nothing comes any more;
 * {@code FAIRLEAD_STOR} and {@code FAIRLEAD_STOR_KEY} name the machine with both, as for {@link IscsiOverSocketTest}.
 */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_STOR", matches = ".+")
class SilentPortalTest {
    private static final String AUTH = "node-db.node.session.auth.";
    private static final int SILENCE = 75;

    /** Less than what the kernel is waited for, so that a call that waited for the silent target would be told. */
    private static final Duration SOON = Duration.ofSeconds(15);

    private final StorageMachine silent = new StorageMachine(
            Optional.ofNullable(System.getenv("FAIRLEAD_STOR")).orElse(""),
            Optional.ofNullable(System.getenv("FAIRLEAD_STOR_KEY")).orElse(""));
    private final StorageMachine answering = silent.second();

    @TempDir
    Path folder = Path.of("/nonexistent");

    @BeforeEach
    void make_the_targets() throws Exception {
        silent.endSilence();
        silent.makeTarget();
        answering.makeTarget();
    }

    @AfterEach
    void nothing_is_left() throws Exception {
        silent.endSilence();
        List<String> left = left();
        for (StorageMachine target : List.of(silent, answering)) {
            Path place = folder.resolve(target.name());
            for (Path mounted : List.of(place.resolve("pod"), place.resolve("staging"))) {
                var _ = NodeShell.run("umount", "-l", mounted.toString());
            }
            var _ = NodeShell.run("iscsiadm", "-m", "node", "-T", target.iqn(), "--logout");
            var _ = NodeShell.run("iscsiadm", "-m", "node", "-T", target.iqn(), "-o", "delete");
            target.removeTarget();
        }
        assertThat(left).isEmpty();
    }

    private List<String> left() throws IOException {
        return Stream.of(
                        NodeShell.mounts(folder).stream(),
                        NodeShell.sessions(silent.iqn()).stream(),
                        NodeShell.sessions(answering.iqn()).stream(),
                        NodeShell.files(folder.resolve("csi.sock.staged")).stream())
                .flatMap(it -> it)
                .toList();
    }

    /** Returns a volume that waits for its target for longer than that is silent. */
    private KubeletVolume volume(StorageMachine target) throws IOException {
        return new KubeletVolume(
                        "v:nas/" + target.name(),
                        Files.createDirectories(folder.resolve(target.name())),
                        false,
                        Map.of(
                                "node_attach_driver",
                                "iscsi",
                                "portal",
                                target.portal(),
                                "iqn",
                                target.iqn(),
                                "lun",
                                "0"),
                        Map.of())
                .withSecret(AUTH + "authmethod", "CHAP")
                .withSecret(AUTH + "username", StorageMachine.USER)
                .withSecret(AUTH + "password", StorageMachine.PASSWORD)
                .withSecret("node-db.node.session.timeo.replacement_timeout", String.valueOf(4 * SILENCE));
    }

    private static void inTime(String what, Runnable call) {
        long start = System.nanoTime();
        call.run();
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        System.out.println(what + " took " + took.toMillis() + " ms");
        assertThat(took).as(what).isLessThan(SOON);
    }

    private static String written(KubeletVolume volume) throws IOException {
        return Files.readString(volume.pod().resolve("file"));
    }

    /** Gives a volume back as kubelet does: each call again until it succeeds. Returns what the failed ones said. */
    private static List<String> givenBack(KubeletVolume volume, NodeBlockingStub node) throws InterruptedException {
        List<String> said = new ArrayList<>();
        volume.unpublish(node);
        long end = System.nanoTime() + Duration.ofSeconds(3 * SILENCE).toNanos();
        while (System.nanoTime() < end) {
            try {
                volume.unstage(node);
                return said;
            } catch (StatusRuntimeException e) {
                said.add(String.valueOf(e.getMessage()));
                Thread.sleep(1000);
            }
        }
        throw new AssertionError("it is never given back: " + said);
    }

    @Test
    void a_target_that_falls_silent_holds_up_its_own_volume_alone_and_keeps_what_was_written() throws Exception {
        KubeletVolume held = volume(silent);
        KubeletVolume other = volume(answering);
        try (RunningDriver driver = RunningDriver.proxy(folder).start("node")) {
            NodeBlockingStub node = driver.node();
            held.stage(node);
            held.publish(node);
            Files.writeString(held.pod().resolve("file"), "precious"); // nobody has synced it
            silent.silence(SILENCE);
            FutureTask<List<String>> giving = new FutureTask<>(() -> givenBack(held, node));
            Thread.ofPlatform().daemon().start(giving);

            inTime("Probe", () -> {
                var _ = driver.identity()
                        .withDeadlineAfter(30, TimeUnit.SECONDS)
                        .probe(ProbeRequest.getDefaultInstance());
            });
            inTime("NodeStageVolume", () -> other.stage(node));
            inTime("NodePublishVolume", () -> other.publish(node));
            inTime(
                    "NodeGetVolumeStats",
                    () -> assertThat(other.totalBytes(node)).isPositive());
            Files.writeString(other.pod().resolve("file"), "beside");
            assertThat(written(other)).isEqualTo("beside");
            inTime("NodeUnpublishVolume", () -> other.unpublish(node));
            inTime("NodeUnstageVolume", () -> other.unstage(node));
            assertThat(giving).as("the volume of the silent target").isNotDone();

            assertThat(giving.get(4L * SILENCE, TimeUnit.SECONDS)).allMatch(it -> it.contains("FL-"));
            assertThat(left()).isEmpty();
            held.stage(node);
            held.publish(node);
            assertThat(written(held)).isEqualTo("precious");
            var _ = givenBack(held, node);
        }
    }
}
