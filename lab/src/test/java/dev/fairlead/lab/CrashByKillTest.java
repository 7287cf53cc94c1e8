package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.lab.Trace.Call;
import dev.fairlead.lab.Trace.Moment;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The real process, killed before each system call that changes something, for every RPC of local-hostpath.
 *
 * <p>After a new start and a repeated call, folders, modes, owners, checksums and mounts equal those of a run that
 * nobody disturbed.
 */
class CrashByKillTest {
    private final Path folder = Path.of("/var/tmp/fairlead-crash");

    @BeforeEach
    void needs() throws Exception {
        Needs.tracing();
        clear();
    }

    @AfterEach
    void clear() throws Exception {
        List<String> mounts = Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .map(line -> line.split(" ", -1)[4])
                .filter(point -> point.startsWith(folder.toString()))
                .toList();
        for (String point : mounts.reversed()) {
            new ProcessBuilder("umount", point).inheritIO().start().waitFor();
        }
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_killed_process_leaves_what_a_repeated_call_completes(Scenario scenario) throws Exception {
        List<Call> calls = new ArrayList<>();
        String clean = cleanRun(scenario, calls);
        Set<Moment> moments = moments(calls);
        assertThat(moments).as("changes in a clean run").isNotEmpty();

        List<String> different = new ArrayList<>();
        int killed = 0;
        for (Moment moment : moments) {
            Disturbed run = disturbedRun(scenario, moment);
            killed += run.killed() ? 1 : 0;
            if (!run.state().equals(clean)) {
                different.add("killed before " + moment + ":\n" + run.state());
            }
        }

        System.out.printf(
                "crash points, %s: %d calls that change something, %d moments, %d kills%n",
                scenario, calls.stream().filter(c -> c.changes(folder)).count(), moments.size(), killed);
        assertThat(different)
                .as("states unlike the clean run's, which is\n%s", clean)
                .isEmpty();
        assertThat(killed).as("kills that happened").isGreaterThanOrEqualTo(moments.size() * 9 / 10);
    }

    @ParameterizedTest
    @EnumSource
    void everything_is_synced_before_the_answer_and_no_sync_is_idle(Scenario scenario) throws Exception {
        List<Call> calls = new ArrayList<>();
        String state = cleanRun(scenario, calls);

        assertThat(SyncOrder.violations(calls, folder.resolve("base")))
                .as(state)
                .isEmpty();
        for (Call call : calls) {
            boolean counts = call.changes(folder.resolve("base"))
                    && (call.name().startsWith("rename") || call.name().contains("sync"));
            if (counts) {
                List<Call> without = new ArrayList<>(calls);
                without.remove(call);
                assertThat(SyncOrder.violations(without, folder.resolve("base")))
                        .as("without %s", call)
                        .isNotEmpty();
            }
        }
    }

    private String cleanRun(Scenario scenario, List<Call> calls) throws Exception {
        clear();
        Bench bench = bench();
        String state;
        try (DriverProcess driver = bench.start();
                CsiClient client = new CsiClient(bench.socket())) {
            scenario.prepare(client, bench);
            settle(bench);
            Trace trace = Trace.watch(driver, folder.resolve("trace"));
            scenario.act(client, bench);
            settle(bench);
            calls.addAll(trace.calls());
            state = state(bench);
        }
        return state;
    }

    private record Disturbed(String state, boolean killed) {}

    private Disturbed disturbedRun(Scenario scenario, Moment moment) throws Exception {
        clear();
        Bench bench = bench();
        boolean killed;
        try (CsiClient client = new CsiClient(bench.socket())) {
            DriverProcess driver = bench.start();
            scenario.prepare(client, bench);
            settle(bench);
            Trace trace = Trace.killBefore(driver, folder.resolve("trace"), moment);
            killed = dies(driver, () -> scenario.act(client, bench));
            trace.close();
            driver.kill();
        }
        try (DriverProcess driver = bench.start();
                CsiClient client = new CsiClient(bench.socket())) {
            scenario.act(client, bench);
            assertThat(driver.isAlive()).isTrue();
            return new Disturbed(state(bench), killed);
        }
    }

    private static boolean dies(DriverProcess driver, Runnable act) throws InterruptedException {
        try {
            act.run();
        } catch (StatusRuntimeException e) {
            driver.awaitDeath();
            return true;
        }
        // Work in the background, such as the emptying of the trash, comes after the answer.
        for (int i = 0; i < 20 && driver.isAlive(); i++) {
            TimeUnit.MILLISECONDS.sleep(25);
        }
        return !driver.isAlive();
    }

    private Bench bench() throws IOException, InterruptedException {
        Files.createDirectories(folder);
        return Bench.hostpath(folder);
    }

    private String state(Bench bench) throws IOException, InterruptedException {
        settle(bench);
        Path node = Files.createDirectories(bench.folder().resolve("node"));
        String mounts = Tree.mountsBelow(node);
        return Tree.of(bench.base()) + "\n" + mounts + "\n" + String.join(" ", names(node));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> list = Files.list(folder)) {
            return list.map(Path::toString).sorted().toList();
        }
    }

    /** Waits until the trash is empty, which happens after the answer. */
    private static void settle(Bench bench) throws IOException, InterruptedException {
        Path trash = bench.base().resolve(".fairlead/trash");
        for (int i = 0; i < 200 && Files.isDirectory(trash) && !names(trash).isEmpty(); i++) {
            TimeUnit.MILLISECONDS.sleep(25);
        }
    }

    /** For each change, the call and how many of its kind its thread had made by then. */
    private Set<Moment> moments(List<Call> calls) {
        Map<String, Integer> counts = new HashMap<>();
        Set<Moment> moments = new LinkedHashSet<>();
        for (Call call : calls) {
            int nth = counts.merge(call.thread() + " " + call.name(), 1, Integer::sum);
            if (call.changes(folder)) {
                moments.add(new Moment(call.name(), nth));
            }
        }
        return moments;
    }
}
