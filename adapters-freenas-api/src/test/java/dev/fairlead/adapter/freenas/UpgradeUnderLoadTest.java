package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.testkit.BoxController;
import dev.fairlead.adapter.freenas.testkit.LabScale;
import dev.fairlead.adapter.freenas.testkit.LoadCaller;
import dev.fairlead.adapter.freenas.testkit.LoadedBox;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.SentPayloads;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A box that is upgraded from release to release while eight callers are at work, served by one process throughout. */
@Isolated("a box under load, whose callers have deadlines")
class UpgradeUnderLoadTest {
    private static final int CALLERS = 8;

    /** How many calls are done with each release. */
    private static final int EACH = Math.max(20, 8 * LabScale.PERCENT);

    /** How many volumes each caller has; 200 in all if the whole is run. */
    private static final int VOLUMES = Math.max(2, 25 * LabScale.PERCENT / 100);

    /** How often 10 ms are waited for these calls: ten minutes, on a machine that does other things too. */
    private static final int MOST_WAITS = 60_000;

    @TempDir
    private Path folder = Path.of("/nowhere");

    /** All of them by {@code lab/truenas test}, one with each build. */
    static Stream<Arguments> seeds() {
        return Stream.of(Arguments.of(1, Protocol.NFS), Arguments.of(2, Protocol.ISCSI), Arguments.of(3, Protocol.SMB))
                .limit(LabScale.PERCENT < 100 ? 1 : 3);
    }

    @ParameterizedTest
    @MethodSource("seeds")
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
                controllers.wait(LateCalls.LONGEST.plusSeconds(1)); // what calls that were cut have begun is left then
                loaded.clear();
                callers.getFirst().tidy();
                assertThat(callers.stream().flatMap(it -> it.complaints().stream()))
                        .isEmpty();
                assertThat(box.rows()).isEqualTo(before);
                assertThat(box.notes()).as("notes of calls").isEmpty();
                report(seed, protocol, callers);
            }
        }
    }

    /** Writes what was done for the table of {@code lab/truenas test}. */
    private static void report(long seed, Protocol protocol, List<LoadCaller> callers) throws IOException {
        int failed = callers.stream().mapToInt(LoadCaller::failed).sum();
        String line = "%d %s %d %d %d%n".formatted(seed, protocol, CALLERS * VOLUMES, done(callers), failed);
        Files.writeString(
                Path.of("target", "truenas-load"), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
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
                        verifyPayloads(simulator);
                        simulator.upgrade(next);
                    }
                    work(callers);
                }
            } finally {
                goOn.set(false);
            }
            for (Future<?> each : running) {
                each.get(5, TimeUnit.MINUTES);
            }
            verifyPayloads(simulator);
        }
    }

    /** Holds what was sent to a release, which is left now, to its models. */
    private static void verifyPayloads(Simulator simulator) {
        int fitting = SentPayloads.verify(simulator);
        simulator.clearCalls();
        System.out.printf("payloads under load, %s: %d fit the vendor's models%n", simulator.profile(), fitting);
    }

    /** Waits until the callers have done so much more. */
    private static void work(List<LoadCaller> callers) throws InterruptedException {
        int enough = done(callers) + EACH;
        for (int i = 0; i < MOST_WAITS && done(callers) < enough; i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(done(callers)).as("calls that were done").isGreaterThanOrEqualTo(enough);
    }

    private static int done(List<LoadCaller> callers) {
        return callers.stream().mapToInt(LoadCaller::done).sum();
    }
}
