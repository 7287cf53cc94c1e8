package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.block.BlockTargets;
import dev.fairlead.adapter.node.filesystem.LinuxFilesystems;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.settings.FilesystemSettings;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.FormatGuard.Born;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mount of a device that takes longer than the calls wait that ask for it; nothing is mounted here. */
class LastingMountsTest {
    private static final Path DEVICE = Path.of("/dev/null");
    private static final Filesystem XFS = Filesystem.of("xfs", DEVICE.toString(), List.of());
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final CountDownLatch ends = new CountDownLatch(1);
    private final List<Command> begun = new CopyOnWriteArrayList<>();
    private final KernelThreads threads = MountSandbox.threads();
    private final CommandRunner programs = new CommandRunner() {
        @Override
        public Ended run(Command command, Work work) {
            work.effect(command.effect(), () -> waited(command));
            return Ended.with(32, "", "Structure needs cleaning");
        }

        @Override
        public void close() {}
    };

    @TempDir
    private Path target;

    private void waited(Command command) {
        begun.add(command);
        try {
            assertThat(ends.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void let_it_go() {
        ends.countDown();
    }

    private LinuxMounter mounter() {
        return new LinuxMounter(threads, new MountView(false), Binding.ofThisKernel(), programs, PATIENCE);
    }

    private static TestWork hurried() {
        return TestWork.patient().left(Duration.ofMillis(50));
    }

    private void outlasts(LinuxMounter mounter, Filesystem filesystem) {
        assertThat(Failing.failure(() -> mounter.mount(filesystem, target, hurried())))
                .isInstanceOfSatisfying(
                        Failure.OperationPending.class,
                        it -> assertThat(it.message()).contains("mounting", target.toString()));
    }

    @Test
    void it_is_neither_killed_nor_begun_anew_while_calls_ask_for_it() {
        LinuxMounter mounter = mounter();
        outlasts(mounter, XFS);
        outlasts(mounter, XFS);

        assertThat(begun)
                .singleElement()
                .satisfies(command -> assertThat(command.deadline()).isGreaterThan(Duration.ofHours(1)));
    }

    @Test
    void the_device_is_neither_checked_nor_looked_at_below_it_and_the_path_is_not_unmounted() {
        LinuxMounter mounter = mounter();
        LinuxFilesystems filesystems = new LinuxFilesystems(threads, programs, FilesystemSettings.NONE);
        outlasts(mounter, XFS);

        for (Runnable call : List.<Runnable>of(
                () -> filesystems.check(DEVICE, "ext4", Optional.empty(), Born.UNTOLD, TestWork.patient()),
                () -> filesystems.identity(DEVICE, TestWork.patient()),
                () -> filesystems.writable(DEVICE, true, TestWork.patient()),
                () -> mounter.unmount(target, TestWork.patient()))) {
            Failing.with(Failure.OperationPending.class, call::run);
        }

        assertThat(begun).hasSize(1);
        assertThat(mounter.at(target, TestWork.patient())).isEmpty();
    }

    @Test
    void how_it_has_failed_meanwhile_is_told_to_the_next_call_and_to_that_alone() {
        LinuxMounter mounter = mounter();
        outlasts(mounter, XFS);
        leftBehind();

        assertThatThrownBy(() -> mounter.mount(XFS, target, TestWork.patient()))
                .isInstanceOfSatisfying(
                        StorageException.class, it -> assertThat(it.failure()).isInstanceOf(Failure.MountFailed.class))
                .hasMessageContaining("Structure needs cleaning");
        assertThat(begun).hasSize(1);

        Failing.with(Failure.MountFailed.class, () -> mounter.mount(XFS, target, TestWork.patient()));
        assertThat(begun).hasSize(2);
    }

    @Test
    void what_it_told_nobody_is_forgotten_once_the_path_is_unmounted() {
        LinuxMounter mounter = mounter();
        outlasts(mounter, XFS);
        leftBehind();

        mounter.unmount(target, TestWork.patient());
        Failing.with(Failure.MountFailed.class, () -> mounter.mount(XFS, target, TestWork.patient()));

        assertThat(begun).hasSize(2);
    }

    /** The program for a share is killed in time; a caller that leaves before is not told that nothing comes. */
    @Test
    void a_share_is_not_told_to_be_refused_while_its_program_runs() {
        Filesystem share = Filesystem.of("nfs", "nas:/v", List.of());

        outlasts(mounter(), share);

        assertThat(begun)
                .singleElement()
                .satisfies(command -> assertThat(command.deadline()).isEqualTo(PATIENCE));
    }

    @Test
    void shares_of_one_server_leave_room_for_those_of_another() {
        KernelThreads few =
                new KernelThreads(MountSandbox.THREADS, 16, Duration.ofSeconds(30), BlockTargets.ofThisKernel());
        LinuxMounter mounter = new LinuxMounter(few, new MountView(false), Binding.ofThisKernel(), programs, PATIENCE);
        for (int i = 0; i < 4; i++) {
            Filesystem share = Filesystem.of("nfs", "nas:/v" + i, List.of());
            Path place = target.resolve("v" + i);
            Failing.with(Failure.OperationPending.class, () -> mounter.mount(share, place, hurried()));
        }

        outlasts(mounter, Filesystem.of("cifs", "//other/v", List.of()));

        assertThat(begun).extracting(command -> command.argv().get(4)).containsExactly("nas:/v0", "//other/v");
    }

    private void leftBehind() {
        ends.countDown();
        while (threads.leftBehind() > 0) {
            Thread.onSpinWait();
        }
    }
}
