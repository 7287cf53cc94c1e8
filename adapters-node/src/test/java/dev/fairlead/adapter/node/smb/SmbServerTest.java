package dev.fairlead.adapter.node.smb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.filesystem.LinuxFilesystems;
import dev.fairlead.adapter.node.journal.FileJournal;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.mount.LinuxMounter;
import dev.fairlead.adapter.node.mount.LocalPrograms;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.DescribeNode;
import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.NodePorts;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.node.NodeGrowth;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Shares of a real server, by this machine's kernel; {@code FAIRLEAD_SMB} names a share that can be written, such as
 * {@code //stor/srv}, and {@code FAIRLEAD_SMB_PASSWORD} the password of its user {@code keeper}.
 */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_SMB", matches = "//.+/.+")
class SmbServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<String> share = List.of(Optional.ofNullable(System.getenv("FAIRLEAD_SMB"))
            .orElse("//none/none")
            .split("/", -1));
    private final String password =
            Optional.ofNullable(System.getenv("FAIRLEAD_SMB_PASSWORD")).orElse("");
    private final TestWork work = TestWork.patient();

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    private final KernelThreads threads = new KernelThreads(MountSandbox.THREADS, 64, PATIENCE);
    private final LinuxMounter mounter = LinuxMounter.ofThisKernel(threads, new LocalPrograms(), PATIENCE);

    private NodeUseCases node() {
        return UseCases.node(
                new NodePorts(
                        mounter,
                        List.of(new SmbAttacher(mounter)),
                        new LinuxFilesystems(threads, new LocalPrograms()),
                        new FileJournal(sandbox.path("journal"))),
                new HandleCodec.Proxied(),
                new KeyedLocks(InstantSource.system()),
                NodeGrowth.ELSEWHERE,
                () -> new DescribeNode.Description("node", 0, Optional.empty()));
    }

    @BeforeEach
    void make_two_volumes() throws IOException {
        Path all = sandbox.path("all");
        stage(all, "", "v:nas/all", login());
        Files.createDirectories(all.resolve("pvc-1"));
        Files.createDirectories(all.resolve("pvc-2"));
        node().unstageVolume().unstage("v:nas/all", all, work);
    }

    private Map<String, Secret> login() {
        return Map.of("username", new Secret("keeper"), "password", new Secret(password));
    }

    private Map<String, String> context(String below) {
        return Map.of("node_attach_driver", "smb", "server", share.get(2), "share", share.get(3) + below);
    }

    private static VolumeCapability capability(String... flags) {
        return new VolumeCapability(
                new VolumeCapability.Mount("cifs", List.of(flags)), AccessMode.MULTI_NODE_MULTI_WRITER);
    }

    private void stage(Path staging, String below, String handle, Map<String, Secret> secrets, String... flags) {
        node().stageVolume()
                .stage(
                        new StageVolume.Command(handle, staging, capability(flags), context(below), Map.of(), secrets),
                        work);
    }

    private void publish(Path staging, String below, String handle, Path target, boolean readOnly) {
        node().mountVolume()
                .mount(
                        new MountVolume.Command(
                                handle, Optional.of(staging), target, capability(), readOnly, context(below), Map.of()),
                        work);
    }

    @ParameterizedTest
    @ValueSource(strings = {"vers=default", "vers=2.1", "vers=3.0,seal", "vers=3.1.1,uid=1000,gid=1001"})
    void a_volume_is_staged_published_measured_and_taken_away(String version) throws IOException {
        Path staging = sandbox.path("staging");
        Path pod = sandbox.path("pod");

        stage(staging, "/pvc-1", "v:nas/pvc-1", login(), version, "noatime");
        stage(staging, "/pvc-1", "v:nas/pvc-1", login(), version, "noatime");
        publish(staging, "/pvc-1", "v:nas/pvc-1", pod, false);
        publish(staging, "/pvc-1", "v:nas/pvc-1", pod, false);
        Files.writeString(pod.resolve("file"), version);

        assertThat(staging.resolve("file")).hasContent(version);
        assertThat(node().measureVolume().measure("v:nas/pvc-1", pod, work).totalBytes())
                .isPositive();
        assertThat(sandbox.mounts()).hasSize(2);
        MountEntry mount = sandbox.mounts().getFirst();
        assertThat(mount.superOptions()).contains("username=keeper");
        assertThat(mount.toString()).doesNotContain(password);
        node().unmountVolume().unmount("v:nas/pvc-1", pod, work);
        node().unstageVolume().unstage("v:nas/pvc-1", staging, work);
        assertThat(sandbox.mounts()).isEmpty();
        assertThat(staging).doesNotExist();
        assertThat(pod).doesNotExist();
    }

    @Test
    void two_volumes_of_one_share_are_told_apart() throws IOException {
        Path one = sandbox.path("one");
        Path two = sandbox.path("two");
        stage(one, "/pvc-1", "v:nas/pvc-1", login());
        stage(two, "/pvc-2", "v:nas/pvc-2", login());

        publish(one, "/pvc-1", "v:nas/pvc-1", sandbox.path("pod-1"), false);
        publish(two, "/pvc-2", "v:nas/pvc-2", sandbox.path("pod-2"), true);

        Files.writeString(sandbox.path("pod-1").resolve("mine"), "1");
        assertThat(sandbox.path("pod-2").resolve("mine")).doesNotExist();
        assertThatThrownBy(() -> Files.writeString(sandbox.path("pod-2").resolve("x"), ""))
                .isNotNull();
        assertThatThrownBy(() -> publish(one, "/pvc-2", "v:nas/pvc-2", sandbox.path("pod-3"), false))
                .extracting("failure")
                .isInstanceOf(Failure.MountConflict.class);
    }

    @Test
    void a_guest_needs_no_secret() throws IOException {
        stage(sandbox.path("staging"), "/pvc-1", "v:nas/pvc-1", Map.of());

        assertThat(sandbox.mounts()).hasSize(1);
    }

    @Test
    void democratic_csi_s_secret_logs_in_as_well() throws IOException {
        stage(
                sandbox.path("staging"),
                "/pvc-1",
                "v:nas/pvc-1",
                Map.of(
                        "democratic-csi.org/mount_flags",
                        new Secret("username=keeper,password=" + password + ",vers=3.0")));

        assertThat(sandbox.mounts().getFirst().superOptions()).contains("username=keeper", "vers=3.0");
    }

    @Test
    void a_wrong_password_and_a_missing_share_are_refused_in_the_server_s_words() throws IOException {
        Map<String, Secret> wrong = Map.of("username", new Secret("keeper"), "password", new Secret("hunter2"));

        assertThatThrownBy(() -> stage(sandbox.path("staging"), "", "v:nas/all", wrong, "vers=3.1.1"))
                .hasMessageContaining("Permission denied")
                .hasMessageNotContaining("hunter2")
                .extracting("failure")
                .isInstanceOf(Failure.MountFailed.class);
        assertThatThrownBy(() -> stage(sandbox.path("staging"), "/absent", "v:nas/absent", login()))
                .extracting("failure")
                .isInstanceOf(Failure.MountFailed.class);
        assertThat(sandbox.mounts()).isEmpty();
    }
}
