package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.testkit.BoxController;
import dev.fairlead.adapter.freenas.testkit.LabScale;
import dev.fairlead.adapter.freenas.testkit.LoadCaller;
import dev.fairlead.adapter.freenas.testkit.LoadedBox;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A box that is upgraded from release to release while eight callers are at work, served by one process throughout. */
@Tag("long")
class UpgradeUnderLoadTest {
    private static final int CALLERS = 8;

    /** How many calls are done with each release. */
    private static final int EACH = Math.max(20, 8 * LabScale.PERCENT);

    /** How many volumes each caller has; 200 in all if the whole is run. */
    private static final int VOLUMES = Math.max(2, 25 * LabScale.PERCENT / 100);

    @TempDir
    private Path folder = Path.of("/nowhere");

    @ParameterizedTest
    @CsvSource({"1, NFS", "2, ISCSI", "3, SMB"})
    void nothing_is_lost_and_nothing_left_over(long seed, Protocol protocol) throws Exception {
        try (WiredBox box = WiredBox.start(Profile.SCALE_24_10, protocol, folder)) {
            box.makeParents();
            Set<String> before = box.rows();
            Simulator simulator = box.simulator();
            var controllers = new BoxController(simulator, protocol);
            try (OneConnectionFixture controller = controllers.open()) {
                var goOn = new AtomicBoolean(true);
                List<LoadCaller> callers = IntStream.range(0, CALLERS)
                        .mapToObj(i -> new LoadCaller(controller, controllers, i, VOLUMES, goOn, seed))
                        .toList();

                upgrade(simulator, callers, goOn);

                assertThat(callers.stream().flatMap(it -> it.complaints().stream()))
                        .isEmpty();
                var loaded = new LoadedBox(simulator, callers);
                loaded.verify();
                loaded.clear();
                assertThat(callers.stream().flatMap(it -> it.complaints().stream()))
                        .isEmpty();
                assertThat(box.rows()).isEqualTo(before);
            }
        }
    }

    private static void upgrade(Simulator simulator, List<LoadCaller> callers, AtomicBoolean goOn) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            callers.forEach(caller -> running.add(threads.submit(caller)));
            try {
                for (Profile next : Arrays.stream(Profile.values())
                        .filter(profile -> profile.since(Profile.SCALE_24_10))
                        .toList()) {
                    if (next != Profile.SCALE_24_10) {
                        simulator.stop();
                        TimeUnit.MILLISECONDS.sleep(200);
                        simulator.upgrade(next);
                    }
                    work(callers);
                }
            } finally {
                goOn.set(false);
            }
            for (Future<?> each : running) {
                each.get(2, TimeUnit.MINUTES);
            }
        }
    }

    /** Waits until the callers have done so much more. */
    private static void work(List<LoadCaller> callers) throws InterruptedException {
        int enough = done(callers) + EACH;
        for (int i = 0; i < 6000 && done(callers) < enough; i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(done(callers)).as("calls that were done").isGreaterThanOrEqualTo(enough);
    }

    private static int done(List<LoadCaller> callers) {
        return callers.stream().mapToInt(LoadCaller::done).sum();
    }
}
