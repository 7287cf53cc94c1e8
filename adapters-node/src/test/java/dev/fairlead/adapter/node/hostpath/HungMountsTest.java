package dev.fairlead.adapter.node.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.block.BlockTargets;
import dev.fairlead.adapter.node.hostpath.DirectoryStaging.Stage;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.mount.LinuxMounter;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.hung.HungFilesystem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A real file system that never answers, beside one that does. */
class HungMountsTest {
    private static final Duration PATIENCE = Duration.ofMillis(300);

    private final TestWork work = TestWork.patient();

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    private @Nullable HungFilesystem hung;
    private @Nullable HungFilesystem share;

    @BeforeEach
    void hang_one_of_two() throws IOException {
        HungFilesystem.obstacle().ifPresent(why -> Assumptions.abort("left out: " + why));
        sandbox.directory("healthy/v/one");
        hung = HungFilesystem.mountAt(sandbox.directory("hung"));
    }

    @AfterEach
    void release() throws IOException {
        if (share != null) {
            share.close();
        }
        if (hung != null) {
            hung.close();
        }
    }

    @Test
    void a_volume_on_it_fails_in_time_and_others_are_staged_and_measured() throws IOException {
        KernelThreads threads = threads();
        LinuxMounter mounter = mounter(threads);
        DirectoryStaging attacher = attacher(mounter, threads);

        assertThatThrownBy(() -> attacher.stage(stage("hung/v/one", "a"), work))
                .hasMessageContaining("hung/v/one")
                .hasMessageContaining("hangs")
                .extracting("failure")
                .isInstanceOf(Failure.NodeFault.class);
        assertThatThrownBy(() -> mounter.usage(sandbox.path("hung"), work)).hasMessageContaining("hangs");
        attacher.stage(stage("healthy/v/one", "b"), work);

        assertThat(attacher.isStaged(stage("healthy/v/one", "b"), work)).isTrue();
        assertThat(mounter.usage(sandbox.path("b"), work).totalBytes()).isPositive();
        assertThat(threads.leftBehind()).isEqualTo(2);
    }

    @Test
    void many_volumes_on_it_take_no_thread_from_the_others() throws IOException {
        KernelThreads threads = threads();
        DirectoryStaging attacher = attacher(mounter(threads), threads);

        for (int i = 0; i < 6; i++) {
            Stage stage = stage("hung/v/" + i, "a" + i);
            assertThatThrownBy(() -> attacher.stage(stage, work)).hasMessageContaining("FL-NODE-005");
        }
        attacher.stage(stage("healthy/v/one", "b"), work);

        assertThat(threads.leftBehind()).isEqualTo(2);
        assertThat(sandbox.mounts())
                .extracting(mount -> mount.mountPoint())
                .contains(sandbox.path("b").toString());
    }

    @Test
    void what_is_mounted_is_told_and_taken_off_while_it_hangs() throws IOException {
        LinuxMounter mounter = mounter(threads());
        sandbox.mountOver(sandbox.path("hung"), sandbox.directory("staging"));

        assertThat(mounter.at(sandbox.path("staging"), work)).isPresent();
        mounter.unmount(sandbox.path("staging"), work);

        assertThat(mounter.at(sandbox.path("staging"), work)).isEmpty();
        assertThat(mounter.at(sandbox.path("hung"), work)).isPresent();
    }

    @Test
    void a_share_is_taken_off_though_a_question_to_it_hangs_there() throws IOException {
        LinuxMounter mounter = patientMounter();
        share = HungFilesystem.mountAt(sandbox.directory("share"), "nas:/hung");
        assertThat(mounter.silence(sandbox.path("share"), work)).isPresent();

        mounter.unmount(sandbox.path("share"), work);

        assertThat(mounter.at(sandbox.path("share"), work)).isEmpty();
    }

    @Test
    void a_share_is_taken_off_though_it_was_measured_in_vain() throws IOException {
        LinuxMounter mounter = patientMounter();
        share = HungFilesystem.mountAt(sandbox.directory("share"), "nas:/hung");
        Path path = sandbox.path("share");
        TestWork hurried = TestWork.patient().left(Duration.ofSeconds(1));
        assertThat(mounter.silence(path, work)).isPresent();
        assertThatThrownBy(() -> mounter.usage(path, hurried)).hasMessageContaining("has not answered");
        assertThatThrownBy(() -> mounter.usage(path, hurried)).hasMessageContaining("still hangs");

        mounter.unmount(path, work);

        assertThat(mounter.at(path, work)).isEmpty();
    }

    @Test
    void a_share_that_hangs_stays_while_it_is_mounted_elsewhere() throws IOException {
        LinuxMounter mounter = patientMounter();
        share = HungFilesystem.mountAt(sandbox.directory("share"), "nas:/hung");
        Path pod = sandbox.mountOver(sandbox.path("share"), sandbox.directory("pod"));
        assertThat(mounter.silence(sandbox.path("share"), work)).isPresent();

        assertThatThrownBy(() -> mounter.unmount(sandbox.path("share"), work))
                .extracting("failure")
                .isInstanceOf(Failure.InUse.class);

        assertThat(mounter.at(sandbox.path("share"), work)).isPresent();
        assertThat(mounter.at(pod, work)).isPresent();
    }

    private static LinuxMounter patientMounter() {
        return mounter(
                new KernelThreads(MountSandbox.THREADS, 16, Duration.ofSeconds(20), BlockTargets.ofThisKernel()));
    }

    @Test
    void its_threads_come_back_when_it_is_released() throws IOException {
        KernelThreads threads = threads();
        DirectoryStaging attacher = attacher(mounter(threads), threads);
        assertThatThrownBy(() -> attacher.stage(stage("hung/v/one", "a"), work)).hasMessageContaining("hangs");

        release();
        while (threads.leftBehind() > 0) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(() -> attacher.stage(stage("hung/v/one", "a"), work))
                .extracting("failure")
                .isInstanceOf(Failure.BackendUnavailable.class);
    }

    private static KernelThreads threads() {
        return new KernelThreads(MountSandbox.THREADS, 16, PATIENCE, BlockTargets.ofThisKernel());
    }

    private static LinuxMounter mounter(KernelThreads threads) {
        return LinuxMounter.ofThisKernel(threads, MountSandbox.NO_PROGRAMS, PATIENCE);
    }

    private DirectoryStaging attacher(LinuxMounter mounter, KernelThreads threads) {
        return new DirectoryStaging(mounter, threads, () -> List.of(sandbox.path("hung"), sandbox.path("healthy")));
    }

    private Stage stage(String volume, String staging) throws IOException {
        Path path = sandbox.directory(staging);
        return new Stage(
                "v:here/" + volume, new Attachment.HostPath(sandbox.path(volume).toString()), path, List.of());
    }
}
