package dev.fairlead.adapter.node.zfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.testkit.Until;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left behind of {@code zfs} if a pool does not answer, and whom that holds up. */
class HangingZfsTest {
    private static final Duration SOON = Duration.ofMillis(20);
    private static final int PLACES = 16;

    private final ScriptedZfs zfs = new ScriptedZfs();
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<Command> hanging = new CopyOnWriteArrayList<>();

    @TempDir
    private Path root = Path.of("/nonexistent");

    private KernelThreads threads = MountSandbox.threads();

    /** Has a pool {@code dead}, of which every program waits in the kernel, and others. */
    private final CommandRunner programs = new CommandRunner() {
        @Override
        public Ended run(Command command, Work work) {
            if (command.argv().getLast().startsWith("dead/")) {
                hanging.add(command);
                await(release);
            }
            synchronized (zfs) {
                return zfs.run(command);
            }
        }

        @Override
        public void close() {}
    };

    @BeforeEach
    void have_a_node() {
        threads = MountSandbox.threads(root);
        zfs.assets.put("tank/v", "legacy");
        IntStream.range(0, 3 * PLACES).forEach(it -> zfs.assets.put("dead/v" + it, "legacy"));
    }

    @AfterEach
    void let_everything_go() {
        release.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private LocalZfs local() {
        return new LocalZfs(programs, new ZfsPools(threads, root.resolve("kstat")), root.resolve("dev/zfs"));
    }

    private void isRefused(String asset, String why) {
        assertThatThrownBy(() -> local().find(asset, TestWork.patient().left(SOON)))
                .hasMessageContaining(why);
    }

    /** Lets calls of the pool wait until it has all its places. */
    private void die() {
        IntStream.range(0, 2 * PLACES)
                .forEach(it -> Thread.ofPlatform()
                        .daemon()
                        .start(() -> assertThatThrownBy(() ->
                                local().find("dead/v" + it, TestWork.patient().left(Duration.ofSeconds(5))))));
        Until.holds(() -> hanging.size() == PLACES);
        Until.holds(() -> threads.leftBehind() == PLACES);
    }

    @Test
    void a_pool_that_does_not_answer_keeps_its_places_and_no_other_pool_s() {
        die();

        isRefused("dead/v40", "16 earlier calls still hang in the kernel on the pool dead");
        assertThat(hanging).hasSize(PLACES);
        assertThat(threads.leftBehind()).isEqualTo(PLACES);
        assertThat(local().find("tank/v", TestWork.patient()))
                .hasValueSatisfying(it -> assertThat(it.isLegacy()).isTrue());
    }

    @Test
    void once_the_pool_answers_its_volumes_are_served_again() {
        die();

        release.countDown();
        Until.holds(() -> threads.leftBehind() == 0);

        assertThat(local().find("dead/v40", TestWork.patient())).isPresent();
    }

    @Test
    void a_repeated_call_for_one_volume_starts_no_second_program() {
        isRefused("dead/v1", "the kernel has not answered");

        isRefused("dead/v1", "an earlier call (zfs get of dead/v1) still hangs");

        assertThat(hanging).singleElement().satisfies(it -> {
            assertThat(it.deadline()).isEqualTo(Duration.ofSeconds(30));
            assertThat(it.untilGone())
                    .as("a killed one counts until it is gone")
                    .isTrue();
        });
    }

    @Test
    void of_a_suspended_pool_no_program_is_asked() throws IOException {
        Files.createDirectories(root.resolve("kstat/dead"));
        Files.writeString(root.resolve("kstat/dead/state"), "SUSPENDED\n");

        isRefused("dead/v1", "pool dead is SUSPENDED");

        assertThat(hanging).isEmpty();
    }
}
