package dev.fairlead.adapter.node.nfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.filesystem.LinuxFilesystems;
import dev.fairlead.adapter.node.journal.FileJournal;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.mount.LinuxMounter;
import dev.fairlead.adapter.node.mount.LocalPrograms;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.DescribeNode;
import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.in.node.StageVolume;
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
 * Shares of a real server, by this machine's kernel; {@code FAIRLEAD_NFS} names an exported folder that can be written,
 * such as {@code stor:/srv/nfs}.
 */
@Tag("machine")
@EnabledIfEnvironmentVariable(named = "FAIRLEAD_NFS", matches = ".+:/.+")
class NfsServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String export =
            Optional.ofNullable(System.getenv("FAIRLEAD_NFS")).orElse("none:/none");
    private final TestWork work = TestWork.patient();

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    private final KernelThreads threads = new KernelThreads(MountSandbox.THREADS, 64, PATIENCE);
    private final LinuxMounter mounter = LinuxMounter.ofThisKernel(threads, new LocalPrograms(), PATIENCE);

    private NodeUseCases node() {
        return UseCases.node(
                new NodePorts(
                        mounter,
                        List.of(new NfsAttacher(mounter)),
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
        stage(all, "", "v:nas/all");
        Files.createDirectories(all.resolve("pvc-1"));
        Files.createDirectories(all.resolve("pvc-2"));
        node().unstageVolume().unstage("v:nas/all", all, work);
    }

    private Map<String, String> context(String share) {
        int colon = export.indexOf(":/");
        return Map.of(
                "node_attach_driver",
                "nfs",
                "server",
                export.substring(0, colon),
                "share",
                export.substring(colon + 1) + share,
                "storage.kubernetes.io/csiProvisionerIdentity",
                "x");
    }

    private static VolumeCapability capability(String... flags) {
        return new VolumeCapability(
                new VolumeCapability.Mount("nfs", List.of(flags)), AccessMode.SINGLE_NODE_SINGLE_WRITER);
    }

    private void stage(Path staging, String share, String handle, String... flags) {
        node().stageVolume()
                .stage(
                        new StageVolume.Command(handle, staging, capability(flags), context(share), Map.of(), Map.of()),
                        work);
    }

    private void publish(Path staging, String share, String handle, Path target, boolean readOnly) {
        node().mountVolume()
                .mount(
                        new MountVolume.Command(
                                handle, Optional.of(staging), target, capability(), readOnly, context(share), Map.of()),
                        work);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfsvers=4.2", "nfsvers=4.0", "nfsvers=3,nolock"})
    void a_volume_is_staged_published_measured_and_taken_away(String version) throws IOException {
        Path staging = sandbox.path("staging");
        Path pod = sandbox.path("pod");

        stage(staging, "/pvc-1", "v:nas/pvc-1", version, "noatime");
        stage(staging, "/pvc-1", "v:nas/pvc-1", version, "noatime");
        publish(staging, "/pvc-1", "v:nas/pvc-1", pod, false);
        publish(staging, "/pvc-1", "v:nas/pvc-1", pod, false);
        Files.writeString(pod.resolve("file"), version);

        assertThat(staging.resolve("file")).hasContent(version);
        assertThat(node().measureVolume().measure("v:nas/pvc-1", pod, work).totalBytes())
                .isPositive();
        assertThat(sandbox.mounts()).hasSize(2);
        node().unmountVolume().unmount("v:nas/pvc-1", pod, work);
        node().unstageVolume().unstage("v:nas/pvc-1", staging, work);
        assertThat(sandbox.mounts()).isEmpty();
        assertThat(staging).doesNotExist();
        assertThat(pod).doesNotExist();
    }

    @Test
    void two_volumes_of_one_export_are_told_apart() throws IOException {
        Path one = sandbox.path("one");
        Path two = sandbox.path("two");
        stage(one, "/pvc-1", "v:nas/pvc-1");
        stage(two, "/pvc-2", "v:nas/pvc-2");

        publish(one, "/pvc-1", "v:nas/pvc-1", sandbox.path("pod-1"), false);
        publish(two, "/pvc-2", "v:nas/pvc-2", sandbox.path("pod-2"), true);

        Files.writeString(sandbox.path("pod-1").resolve("mine"), "1");
        assertThat(sandbox.path("pod-2").resolve("mine")).doesNotExist();
        assertThatThrownBy(() -> Files.writeString(sandbox.path("pod-2").resolve("x"), ""))
                .isNotNull();
        assertThatThrownBy(() -> publish(one, "/pvc-2", "v:nas/pvc-2", sandbox.path("pod-3"), false))
                .extracting("failure")
                .isInstanceOf(Failure.MountConflict.class);
        assertThatThrownBy(() -> publish(one, "/pvc-1", "v:nas/pvc-1", sandbox.path("pod-3"), false))
                .extracting("failure")
                .isInstanceOf(Failure.MountedElsewhere.class);
    }

    @Test
    void a_share_that_is_not_there_is_refused_in_the_server_s_words() throws IOException {
        assertThatThrownBy(() -> stage(sandbox.path("staging"), "/absent", "v:nas/absent"))
                .hasMessageContaining("/absent")
                .extracting("failure")
                .isInstanceOf(Failure.MountFailed.class);
        assertThat(sandbox.mounts()).isEmpty();
    }
}
