package dev.fairlead.adapter.node.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.mount.KernelNode;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is promised of the shares of a real server, by this machine's kernel. The test class says how a share is asked
 * for, and by a static method {@code versions} with which mount options.
 */
public interface ShareServerContract {
    MountSandbox sandbox();

    KernelNode kernel();

    ShareAttacher<?> attacher();

    /** Returns the volume_context of a folder of the export; the empty one is the export itself. */
    Map<String, String> context(String below);

    /** Returns the stage secrets. */
    Map<String, Secret> login();

    VolumeCapability capability(String... flags);

    /** Returns a node that was started just now, on what the one before has left. */
    default NodeUseCases node() {
        return kernel().useCases(attacher(), sandbox().path("journal"));
    }

    private static String handle(String below) {
        return "v:nas" + (below.isEmpty() ? "/all" : below);
    }

    default void stage(Path staging, String below, Map<String, Secret> secrets, String... flags) {
        node().stageVolume()
                .stage(
                        new StageVolume.Command(
                                handle(below), staging, capability(flags), context(below), Map.of(), secrets),
                        TestWork.patient());
    }

    default void publish(Path staging, String below, Path target, boolean readOnly) {
        node().mountVolume()
                .mount(
                        new MountVolume.Command(
                                handle(below),
                                Optional.of(staging),
                                target,
                                capability(),
                                readOnly,
                                context(below),
                                Map.of()),
                        TestWork.patient());
    }

    private void unstage(Path staging, String below) {
        node().unstageVolume().unstage(handle(below), staging, TestWork.patient());
    }

    @BeforeEach
    default void make_two_volumes() throws IOException {
        Path all = sandbox().path("all");
        stage(all, "", login());
        Files.createDirectories(all.resolve("pvc-1"));
        Files.createDirectories(all.resolve("pvc-2"));
        unstage(all, "");
    }

    @ParameterizedTest
    @MethodSource("versions")
    default void a_volume_is_staged_published_measured_and_taken_away(String version) throws IOException {
        Path staging = sandbox().path("staging");
        Path pod = sandbox().path("pod");

        stage(staging, "/pvc-1", login(), version, "noatime");
        stage(staging, "/pvc-1", login(), version, "noatime");
        publish(staging, "/pvc-1", pod, false);
        publish(staging, "/pvc-1", pod, false);
        Files.writeString(pod.resolve("file"), version);

        assertThat(staging.resolve("file")).hasContent(version);
        assertThat(node().measureVolume()
                        .measure(handle("/pvc-1"), pod, TestWork.patient())
                        .totalBytes())
                .isPositive();
        assertThat(sandbox().mounts()).hasSize(2);
        node().unmountVolume().unmount(handle("/pvc-1"), pod, TestWork.patient());
        unstage(staging, "/pvc-1");
        assertThat(sandbox().mounts()).isEmpty();
        assertThat(staging).doesNotExist();
        assertThat(pod).doesNotExist();
    }

    @Test
    default void two_volumes_of_one_share_are_told_apart() throws IOException {
        Path one = sandbox().path("one");
        Path two = sandbox().path("two");
        stage(one, "/pvc-1", login());
        stage(two, "/pvc-2", login());

        publish(one, "/pvc-1", sandbox().path("pod-1"), false);
        publish(two, "/pvc-2", sandbox().path("pod-2"), true);

        Files.writeString(sandbox().path("pod-1").resolve("mine"), "1");
        assertThat(sandbox().path("pod-2").resolve("mine")).doesNotExist();
        assertThatThrownBy(() -> Files.writeString(sandbox().path("pod-2").resolve("x"), ""))
                .isNotNull();
        assertThatThrownBy(() -> publish(one, "/pvc-2", sandbox().path("pod-3"), false))
                .extracting("failure")
                .isInstanceOf(Failure.MountConflict.class);
    }

    @Test
    default void a_share_that_is_not_there_is_refused_in_the_server_s_words() throws IOException {
        assertThatThrownBy(() -> stage(sandbox().path("staging"), "/absent", login()))
                .hasMessageContaining("/absent")
                .extracting("failure")
                .isInstanceOf(Failure.MountFailed.class);
        assertThat(sandbox().mounts()).isEmpty();
    }
}
