package dev.fairlead.adapter.node.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose unheard failures are forgotten when a device is given back. */
class KeptFailuresTest {
    private final AtomicReference<CountDownLatch> ends = new AtomicReference<>(new CountDownLatch(1));
    private final AtomicInteger runs = new AtomicInteger();

    @TempDir
    private Path folder;

    private DevicePrograms programs;
    private Path one;
    private Path other;

    @BeforeEach
    void make() throws IOException {
        Path dev = Files.createDirectory(folder.resolve("dev")).toRealPath();
        one = Files.createFile(dev.resolve("sda"));
        other = Files.createFile(dev.resolve("sdb"));
        CommandRunner runner = new CommandRunner() {
            @Override
            public Ended run(Command command, Work work) {
                runs.incrementAndGet();
                waited();
                return Ended.with(4, "", "4 files are damaged");
            }

            @Override
            public void close() {}
        };
        programs = new DevicePrograms(
                MountSandbox.threads(),
                runner,
                SteppingClock.standing(),
                new Partitions(new BlockTree(folder.resolve("sys")), dev));
    }

    private void waited() {
        try {
            assertThat(ends.get().await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void let_it_go() {
        ends.get().countDown();
    }

    private int check(Path device, Duration patience) {
        List<String> argv = List.of("e2fsck", "-p", device.toString());
        return programs.lasting("fsck", argv, device, TestWork.patient().left(patience))
                .exitCode();
    }

    /** Lets a check of a device fail after its caller has stopped waiting. */
    private void failsUnheard(Path device) {
        ends.set(new CountDownLatch(1));
        assertThatThrownBy(() -> check(device, Duration.ofMillis(50)))
                .extracting("failure")
                .isInstanceOf(Failure.OperationPending.class);
        ends.get().countDown();
        while (isAtWork(device)) {
            Thread.onSpinWait();
        }
    }

    private boolean isAtWork(Path device) {
        try {
            return !programs.onThread("looking at " + device, device, TestWork.patient(), _ -> true);
        } catch (StorageException e) {
            return e.failure() instanceof Failure.OperationPending;
        }
    }

    /** Returns whether the next check of a device is told how the former one failed, and runs nothing. */
    private boolean isKept(Path device) {
        int before = runs.get();
        assertThat(check(device, Duration.ofSeconds(30))).isEqualTo(4);
        return runs.get() == before;
    }

    @Test
    void only_those_of_the_device_that_is_given_back() {
        failsUnheard(one);
        failsUnheard(other);

        programs.forget(other);

        assertThat(isKept(one)).isTrue();
        assertThat(isKept(other)).isFalse();
    }

    @Test
    void by_a_link_to_the_device_as_by_itself() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("zvol"), one);
        failsUnheard(one);

        programs.forget(link);

        assertThat(isKept(one)).isFalse();
        failsUnheard(link);
        Files.delete(link);
        programs.forget(link);
        Files.createSymbolicLink(link, one);
        assertThat(isKept(link)).isFalse();
    }

    @Test
    void those_of_a_device_that_is_gone_when_it_is_given_back() throws IOException {
        Path away = folder.resolve("away");
        failsUnheard(one);
        Files.move(one, away);

        programs.forget(one);

        Files.move(away, one); // as if a later device had got its numbers
        assertThat(isKept(one)).isFalse();
    }

    @Test
    void those_of_its_partitions_with_the_disk() throws IOException {
        Path partition = Files.createFile(one.resolveSibling("sda1"));
        Path kernel = Files.createDirectories(folder.resolve("sys/devices/sda/sda1"));
        Files.writeString(kernel.resolve("partition"), "1\n");
        Path blocks = Files.createDirectories(folder.resolve("sys/class/block"));
        Files.createSymbolicLink(blocks.resolve("sda1"), kernel);
        Files.createSymbolicLink(blocks.resolve("sda"), kernel.getParent());
        failsUnheard(partition);

        programs.forget(other);
        assertThat(isKept(partition)).isTrue();
        failsUnheard(partition);
        programs.forget(one);

        assertThat(isKept(partition)).isFalse();
    }
}
