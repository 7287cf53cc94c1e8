package dev.fairlead.bootstrap.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.simulator.BoxState;
import dev.fairlead.simulator.SentPayloads;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.StateRows;
import dev.fairlead.simulator.profile.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A box that is upgraded from release to release while eight callers are at work by connections of six types, served by
 * one process throughout. They may be told that it is unavailable by calls that overlap a restart, and until they have
 * had an answer after it, for {@link Outages#COMING_BACK} at most; and by calls that wait for one that the restart cut.
 */
@Isolated("a box under load, whose callers have deadlines")
class UpgradeUnderLoadTest {
    /** The types of the callers, one each; two have a connection in common. NVMe-oF is refused before 25.10. */
    private static final List<String> TYPES = List.of(
            "freenas-api-nfs",
            "freenas-api-smb",
            "freenas-api-iscsi",
            "freenas-api-nvmeof",
            "freenas-nfs",
            "freenas-iscsi",
            "freenas-api-nfs",
            "freenas-api-iscsi");

    /** How many of all volumes there are, in percent; all by {@code lab/truenas test}. */
    private static final int PERCENT = Integer.getInteger("fairlead.truenas.percent", 2);

    /** How many calls are done with each release. */
    private static final int EACH = Math.max(20, 8 * PERCENT);

    /** How many volumes each caller has; 200 in all if the whole is run. */
    private static final int VOLUMES = Math.max(2, 25 * PERCENT / 100);

    /** How often 10 ms are waited for these calls: five minutes, on a machine that does other things too. */
    private static final int MOST_WAITS = 30_000;

    @TempDir
    private Path folder = Path.of("/nowhere");

    /** All of them by {@code lab/truenas test}, one with each build. */
    static IntStream seeds() {
        return IntStream.rangeClosed(1, PERCENT < 100 ? 1 : 3);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothing_is_lost_and_nothing_left_over(int seed) throws Exception {
        try (var box = new LoadedConnections(Profile.SCALE_24_10, folder, new TreeSet<>(TYPES))) {
            Simulator simulator = box.simulator();
            Set<String> before = StateRows.rows(simulator.dump());
            var goOn = new AtomicBoolean(true);
            List<LoadCaller> callers = IntStream.range(0, TYPES.size())
                    .mapToObj(i -> new LoadCaller(box, TYPES.get(i), i, VOLUMES, goOn, seed))
                    .toList();

            upgrade(box, callers, goOn);

            verifyNoComplaints(callers);
            assertThat(callers).allSatisfy(caller -> {
                assertThat(caller.calls().done())
                        .as("calls of " + caller.type())
                        .isPositive();
                assertThat(caller.calls().refused() > 0)
                        .as("refusals of " + caller.type())
                        .isEqualTo(caller.type().endsWith("-nvmeof"));
            });
            var loaded = new LoadedBox(simulator, callers);
            loaded.verify();
            box.wait(LateCalls.LONGEST.plusSeconds(1)); // what calls that were cut have begun is left then
            loaded.clear();
            callers.forEach(LoadCaller::tidy);
            verifyNoComplaints(callers);
            assertThat(StateRows.rows(simulator.dump())).isEqualTo(before);
            assertThat(BoxState.callNotes(simulator.dump()))
                    .as("notes of calls")
                    .isEmpty();
            report(seed, callers);
        }
    }

    private static void verifyNoComplaints(List<LoadCaller> callers) {
        assertThat(callers.stream().flatMap(it -> it.calls().complaints().stream()))
                .isEmpty();
    }

    /** Writes what was done for the table of {@code lab/truenas test}. */
    private static void report(int seed, List<LoadCaller> callers) throws IOException {
        String line = "%d mixed %d %d %d%n"
                .formatted(
                        seed,
                        TYPES.size() * VOLUMES,
                        sum(callers, caller -> caller.calls().done()),
                        sum(callers, caller -> caller.calls().failed()));
        Files.writeString(
                Path.of("target", "truenas-load"), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        for (LoadCaller each : callers) {
            System.out.printf(
                    "%s: %d done, %d repeated%n",
                    each.type(), each.calls().done(), each.calls().failed());
        }
    }

    private static int sum(List<LoadCaller> callers, ToIntFunction<LoadCaller> count) {
        return callers.stream().mapToInt(count).sum();
    }

    private static void upgrade(LoadedConnections box, List<LoadCaller> callers, AtomicBoolean goOn) throws Exception {
        // Threads of the machine: virtual ones may wait for a carrier while the box reads what its programs print.
        try (var threads = Executors.newFixedThreadPool(callers.size())) {
            List<Future<?>> running = new ArrayList<>();
            callers.forEach(caller -> running.add(threads.submit(caller)));
            try {
                for (Profile next : Arrays.stream(Profile.values())
                        .filter(profile -> profile.since(Profile.SCALE_24_10))
                        .toList()) {
                    if (next != Profile.SCALE_24_10) {
                        box.stop();
                        TimeUnit.MILLISECONDS.sleep(200);
                        verifyPayloads(box.simulator());
                        box.upgrade(next);
                    }
                    work(callers);
                    verifyNoComplaints(callers); // while the box is up, so that the others end
                }
            } finally {
                goOn.set(false);
            }
            for (Future<?> each : running) {
                each.get(5, TimeUnit.MINUTES);
            }
            verifyPayloads(box.simulator());
        }
    }

    /** Holds what was sent to a release, which is left now, to its models. */
    private static void verifyPayloads(Simulator simulator) {
        int fitting = SentPayloads.verify(simulator);
        simulator.clearCalls();
        System.out.printf("payloads under load, %s: %d fit the vendor's models%n", simulator.profile(), fitting);
    }

    /** Waits until the callers have done so much more, and each of them something, or one complains. */
    private static void work(List<LoadCaller> callers) throws InterruptedException {
        int enough = sum(callers, caller -> caller.calls().done()) + EACH;
        List<Integer> before = callers.stream().map(UpgradeUnderLoadTest::ended).toList();
        for (int i = 0; i < MOST_WAITS && !isEnough(callers, enough, before); i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(isEnough(callers, enough, before))
                .as(
                        "calls were done: %s, then %s",
                        before,
                        callers.stream().map(UpgradeUnderLoadTest::ended).toList())
                .isTrue();
    }

    private static boolean isEnough(List<LoadCaller> callers, int enough, List<Integer> before) {
        boolean isComplaining =
                callers.stream().anyMatch(caller -> !caller.calls().complaints().isEmpty());
        boolean isEach = IntStream.range(0, callers.size()).allMatch(i -> ended(callers.get(i)) > before.get(i));
        return isComplaining || (isEach && sum(callers, caller -> caller.calls().done()) >= enough);
    }

    private static int ended(LoadCaller caller) {
        return caller.calls().done() + caller.calls().refused();
    }
}
