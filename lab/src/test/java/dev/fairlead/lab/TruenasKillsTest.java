package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.lab.TruenasKillFixture.CleanRun;
import dev.fairlead.lab.TruenasKillFixture.Disturbed;
import dev.fairlead.lab.TruenasKillFixture.Moment;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.profile.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The controller's process, killed by SIGKILL before and after each call that an RPC makes to a TrueNAS; and its
 * connection, delayed, sliced and cut by toxiproxy at the same places. The end equals a clean run's.
 *
 * <p>All of it takes hours, since who repeats a call of a killed process waits up to three minutes for what may come
 * late: {@code lab/truenas kills} runs it, in several lanes.
 */
class TruenasKillsTest {
    private static final int LANES = Integer.getInteger("fairlead.kill.lanes", 6);

    /** The calls and boxes to which a run is limited, such as CREATE,CLONE and V25_10-NFS; all, if nothing is said. */
    private static final String CALLS = System.getProperty("fairlead.kill.calls", "");

    private static final String BOXES = System.getProperty("fairlead.kill.boxes", "");

    /** How many of all moments are tried, in percent, and what they are chosen by. */
    private static final int PERCENT = Integer.getInteger("fairlead.kill.percent", 100);

    private static final long SEED = Long.getLong("fairlead.kill.seed", System.nanoTime());

    @TempDir
    private Path folder = Path.of("/nowhere");

    /** A sample for each build: creations, of which nobody has to wait. */
    @Test
    void a_volume_whose_creator_was_killed_is_as_a_clean_run_leaves_it() throws Exception {
        try (TruenasKillFixture fixture =
                TruenasKillFixture.start(Profile.V25_10, TruenasProtocol.NFS, folder, Optional.empty())) {
            CleanRun clean = fixture.cleanRun(TruenasCall.CREATE);

            for (Moment moment : List.of(
                    new Moment("sharing.nfs.create", 1, false, true),
                    new Moment("sharing.nfs.create", 1, true, true))) {
                Disturbed disturbed = fixture.disturb(TruenasCall.CREATE, clean, moment);
                assertThat(disturbed.struck()).as("%s", moment).isTrue();
                assertThat(disturbed.difference())
                        .as("%s, not\n%s", moment, clean.state())
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SCALE_24_10, NFS",
        "V25_04, NFS",
        "V25_10_0, NFS",
        "V25_10, NFS",
        "V26_BETA, NFS",
        "V26, NFS",
        "V25_10, SMB",
        "V25_04, ISCSI",
        "V25_10, ISCSI",
        "V26_BETA, ISCSI",
        "V26, ISCSI",
        "V25_10_0, NVMEOF",
        "V25_10, NVMEOF",
        "V26, NVMEOF",
    })
    @Tag("long")
    void every_call_of_every_rpc_may_be_the_last(Profile profile, TruenasProtocol protocol) throws Exception {
        Assumptions.assumeTrue(isWanted(BOXES, profile + "-" + protocol), "left out by fairlead.kill.boxes");
        try (Toxiproxy proxy = Toxiproxy.start(
                        Path.of(System.getProperty("fairlead.toxiproxy", "toxiproxy")), folder.resolve("toxiproxy"));
                ExecutorService lanes = Executors.newFixedThreadPool(LANES)) {
            Queue<Share> shares = new ConcurrentLinkedQueue<>(Arrays.stream(TruenasCall.values())
                    .filter(call -> call.isOf(profile) && isWanted(CALLS, call.name()))
                    .flatMap(call -> IntStream.range(0, LANES).mapToObj(lane -> new Share(call, lane)))
                    .toList());
            List<Future<List<String>>> running = new ArrayList<>();
            for (int lane = 0; lane < LANES; lane++) {
                Path own = Files.createDirectories(folder.resolve("lane-" + lane));
                running.add(lanes.submit(() -> lane(profile, protocol, own, proxy, shares)));
            }
            List<String> differences = new ArrayList<>();
            for (Future<List<String>> each : running) {
                differences.addAll(each.get());
            }
            assertThat(differences).isEmpty();
        }
    }

    /** A part of a call's moments, every so manieth, as most of a moment's time is a wait in which others go on. */
    private record Share(TruenasCall call, int first) {
        List<Moment> of(List<Moment> all) {
            return IntStream.range(0, all.size())
                    .filter(index -> index % LANES == first)
                    .mapToObj(all::get)
                    .toList();
        }
    }

    private static boolean isWanted(String list, String name) {
        return list.isEmpty() || List.of(list.split(",", -1)).contains(name);
    }

    private static List<String> lane(
            Profile profile, TruenasProtocol protocol, Path folder, Toxiproxy proxy, Queue<Share> shares)
            throws Exception {
        List<String> differences = new ArrayList<>();
        try (TruenasKillFixture fixture = TruenasKillFixture.start(profile, protocol, folder, Optional.of(proxy))) {
            for (Optional<Share> next = next(shares); next.isPresent(); next = next(shares)) {
                differences.addAll(survive(fixture, next.get()));
            }
        } catch (Exception e) {
            System.out.printf("truenas kills, %s %s: a lane has ended: %s%n", profile, protocol, e);
            throw e;
        }
        return differences;
    }

    private static Optional<Share> next(Queue<Share> shares) {
        return Optional.ofNullable(shares.poll());
    }

    private static List<String> survive(TruenasKillFixture fixture, Share share)
            throws IOException, InterruptedException {
        TruenasCall call = share.call();
        fixture.empty();
        CleanRun clean = fixture.cleanRun(call);
        var random = new Random(SEED + call.name().hashCode());
        List<Moment> chosen = clean.calls().stream()
                .flatMap(TruenasKillsTest::ways)
                .filter(_ -> random.nextInt(100) < PERCENT)
                .toList();
        if (share.first() == 0) {
            System.out.printf(
                    "truenas kills, %s %s: %d calls, %d kills and cuts to come; seed %d, %d %%%n",
                    fixture, call, clean.calls().size(), chosen.size(), SEED, PERCENT);
        }
        List<String> differences = new ArrayList<>();
        for (Moment moment : share.of(chosen)) {
            long began = System.nanoTime();
            fixture.restart();
            Disturbed disturbed = fixture.disturb(call, clean, moment);
            disturbed
                    .difference()
                    .ifPresent(text -> differences.add(fixture + " " + call + " " + moment + ": " + text));
            // Each at once: an end may be three minutes away, and a run is often ended before.
            System.out.printf(
                    "truenas kills, %s %s: %s of %s %d %s: %s, %s, %d s%n",
                    fixture,
                    call,
                    moment.kill() ? "kill" : "cut",
                    moment.method(),
                    moment.nth(),
                    moment.after() ? "after" : "before",
                    disturbed.struck() ? "hit" : "not hit",
                    disturbed.difference().isPresent() ? "DIFFERENT" : "the same",
                    Duration.ofNanos(System.nanoTime() - began).toSeconds());
        }
        return differences;
    }

    /** Returns what is done at a call: a kill and a cut before its effect, and after it if it has one. */
    private static Stream<Moment> ways(Moment call) {
        return Stream.of(false, true)
                .filter(after -> !after || CallLog.isChange(call.method()))
                .flatMap(after ->
                        Stream.of(true, false).map(kill -> new Moment(call.method(), call.nth(), after, kill)));
    }
}
