package dev.fairlead.adapter.node.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.block.MultipathMaps;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.Until;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs on a device that the kernel does not let go of, so that no deadline ends them. */
class UnkillableProgramsTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    private final CountDownLatch gone = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();
    private final KernelThreads threads = MountSandbox.threads();

    @TempDir
    private Path folder;

    private Path device;

    @BeforeEach
    void make() throws IOException {
        device = Files.createFile(Files.createDirectory(folder.resolve("dev")).resolve("sda"))
                .toRealPath();
    }

    @AfterEach
    void let_go() {
        gone.countDown();
        Until.holds(() -> threads.leftBehind() == 0);
    }

    /** Is killed in vain at its deadline; whoever does not wait for its end is told so, as by this machine's runner. */
    private final class Stuck implements CommandRunner {
        @Override
        public Ended run(Command command, Work work) {
            begun.incrementAndGet();
            if (command.untilGone()) {
                try {
                    gone.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return Ended.with(137, "", "killed");
        }

        @Override
        public void close() {}
    }

    private static TestWork hurried() {
        return TestWork.patient().left(SHORT);
    }

    @Test
    void one_at_work_on_a_device_counts_until_it_is_gone_and_no_second_is_begun_beside_it() {
        DevicePrograms programs = new DevicePrograms(
                threads,
                new Stuck(),
                SteppingClock.standing(),
                new Partitions(new BlockTree(folder.resolve("sys")), device.resolveSibling("")));
        List<String> argv = List.of("wipefs", device.toString());

        Failing.failure(() -> programs.ended("wipefs", argv, device, SHORT, hurried()));
        Failing.failure(() -> programs.ended("wipefs", argv, device, SHORT, hurried()));

        assertThat(begun).hasValue(1);
        assertThat(threads.leftBehind()).isEqualTo(1);
    }

    @Test
    void one_that_lasts_counts_too() {
        DevicePrograms programs = new DevicePrograms(
                threads,
                new Stuck(),
                SteppingClock.standing(),
                new Partitions(new BlockTree(folder.resolve("sys")), device.resolveSibling("")));

        Failure failure = Failing.failure(
                () -> programs.lasting("fsck", List.of("e2fsck", device.toString()), device, hurried()));

        assertThat(failure).isInstanceOf(Failure.OperationPending.class);
        assertThat(threads.leftBehind()).isEqualTo(1);
    }

    @Test
    void one_at_work_on_a_map_counts_until_it_is_gone() {
        MultipathMaps maps = new MultipathMaps(
                new BlockTree(folder.resolve("sys")), new Stuck(), threads, device.resolveSibling(""), SHORT);

        Failing.failure(() -> maps.remove("mpatha", hurried()));
        Failing.failure(() -> maps.remove("mpatha", hurried()));

        assertThat(begun).hasValue(1);
        assertThat(threads.leftBehind()).isEqualTo(1);
    }
}
