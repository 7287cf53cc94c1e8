package dev.fairlead.adapter.node.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.settings.NodeSettings;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.testkit.Until;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Storage hosts that have a target for each of their volumes, and die. */
class DeadHostsTest {
    private static final Duration SOON = Duration.ofMillis(5);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int VOLUMES = 24;

    private final CountDownLatch release = new CountDownLatch(1);

    /** The device {@code /dev/HOST-NUMBER} is of the target {@code iqn:HOST-NUMBER}, and mounted below {@code /mnt}. */
    private final KernelThreads threads = new KernelThreads(
            Thread.ofPlatform().daemon().factory(),
            NodeSettings.KERNEL_CALLS,
            Duration.ofSeconds(10),
            (path, mount) -> path.startsWith("/dev/")
                    ? Optional.of("iqn:" + Path.of(path).getFileName())
                    : mount.filter(MountEntry::isOfDevice)
                            .map(it -> "iqn:" + Path.of(it.source()).getFileName()),
            DeadHostsTest::table);

    @AfterEach
    void let_everything_go() {
        release.countDown();
    }

    private static List<MountEntry> table() {
        List<MountEntry> table = new ArrayList<>();
        for (int host = 0; host < 12; host++) {
            for (int volume = 0; volume < VOLUMES; volume++) {
                String name = host + "-" + volume;
                table.add(new MountEntry(
                        table.size(),
                        1,
                        "8:" + table.size(),
                        "/",
                        "/mnt/" + name,
                        List.of("rw"),
                        "ext4",
                        "/dev/" + name,
                        List.of("rw")));
            }
        }
        return table;
    }

    @Test
    void targets_of_a_dead_host_take_its_places_and_none_of_another_host() {
        die(0);

        assertThat(threads.hanging().get("10.0.0.0")).containsOnlyKeys("change", "lasting", "question");
        assertThat(threads.leftBehind())
                .as("16 changes, 16 questions and 8 that last")
                .isEqualTo(40);
        assertThatThrownBy(() -> program(0, 23, PATIENCE, () -> {}))
                .hasMessageContaining("16 earlier calls still hang in the kernel on the server 10.0.0.0");
        assertThatThrownBy(() -> question(0, 23, PATIENCE, () -> {}))
                .hasMessageContaining("16 earlier calls still hang in the kernel on the server 10.0.0.0");
        isServed(1);
    }

    @Test
    void ten_hosts_that_die_one_after_the_other_leave_places_for_those_that_answer() {
        IntStream.range(0, 10).forEach(this::die);

        assertThat(threads.leftBehind()).isLessThan(NodeSettings.KERNEL_CALLS);
        isServed(10);
        isServed(11);
    }

    @Test
    void a_host_has_its_places_again_once_its_calls_have_come_back() {
        die(0);

        release.countDown();
        Until.holds(() -> threads.leftBehind() == 0);

        isServed(0);
    }

    /** Lets one call of each kind for every volume of a host hang. */
    private void die(int host) {
        for (int volume = 0; volume < VOLUMES; volume++) {
            int number = volume;
            threads.note("iqn:" + host + "-" + volume, "10.0.0." + host);
            fails(() -> program(host, number, SOON, this::hang));
            fails(() -> question(host, number, SOON, this::hang));
            fails(() -> lasting(host, number, SOON, this::hang));
        }
    }

    private static void fails(ThrowingCallable call) {
        assertThatThrownBy(call).isNotNull();
    }

    private void isServed(int host) {
        for (int volume = 0; volume < VOLUMES; volume++) {
            int number = volume;
            threads.note("iqn:" + host + "-" + volume, "10.0.0." + host);
            assertThat(program(host, number, PATIENCE, () -> {})).isTrue();
            assertThat(question(host, number, PATIENCE, () -> {})).isTrue();
            assertThat(lasting(host, number, PATIENCE, () -> {})).isTrue();
        }
    }

    /** Makes a call that names its target, as attachers do. */
    private boolean program(int host, int volume, Duration patience, Runnable kernel) {
        String iqn = "iqn:" + host + "-" + volume;
        return threads.call(
                "login to " + iqn, Path.of("/sys/" + iqn), iqn, patience, TestWork.patient(), _ -> did(kernel));
    }

    /** Asks a mount, which names nobody. */
    private boolean question(int host, int volume, Duration patience, Runnable kernel) {
        try {
            Path place = Path.of("/mnt/" + host + "-" + volume);
            return threads.ask("asking", place, patience, TestWork.patient(), _ -> did(kernel));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a program on a device, which names nobody. */
    private boolean lasting(int host, int volume, Duration patience, Runnable kernel) {
        Path device = Path.of("/dev/" + host + "-" + volume);
        return threads.lasting("fsck", device, patience, TestWork.patient(), _ -> did(kernel));
    }

    private static boolean did(Runnable kernel) {
        kernel.run();
        return true;
    }

    private void hang() {
        try {
            release.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
