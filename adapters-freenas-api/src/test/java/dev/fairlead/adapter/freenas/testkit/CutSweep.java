package dev.fairlead.adapter.freenas.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.node.NodeIdentity;
import dev.fairlead.simulator.BoxState;
import dev.fairlead.simulator.SentPayloads;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.share.Admission;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.crash.FinalAnswers;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestNodes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.model.Answer;
import dev.fairlead.testkit.model.Code;
import dev.fairlead.testkit.model.Facts;
import dev.fairlead.testkit.model.UseCaseCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Cuts the connection before and after each call that an RPC makes, lets changes take effect late or stops them between
 * two of their steps, as the release does, repeats the RPC, and compares the state of the box with that after a clean
 * run.
 */
public final class CutSweep {
    private static final int MOST_REPETITIONS = 8;
    private static final Set<String> NODES = IntStream.rangeClosed(1, 3)
            .mapToObj(number -> TestNodes.node(number).iqn().orElseThrow())
            .collect(Collectors.toSet());
    private static final Duration LATEST = Duration.ofMillis(60);

    private final Simulator simulator;
    private final BoxController controllers;
    private final Random random;
    private final int percent;
    private final SentPayloads payloads;
    private final List<String> differences = new ArrayList<>();
    private int runs;

    /**
     * @param seed decides when late effects come, whether the process is another one after a cut, and which are tried
     * @param percent how many of all cuts are tried
     */
    public CutSweep(Simulator simulator, BoxController controllers, long seed, int percent) {
        this.simulator = simulator;
        this.controllers = controllers;
        this.random = new Random(seed);
        this.percent = percent;
        this.payloads = new SentPayloads(simulator.profile());
    }

    /**
     * Numbers a call among those of its method in one run.
     *
     * @param steps after how many of its steps it can be stopped
     */
    private record Call(String method, int nth, int steps) {
        boolean isChange() {
            return CallLog.isChange(method);
        }
    }

    /** Holds the state before a scenario's call and after it, what it answered, and its calls to the box. */
    private record Clean(JsonObject before, String after, List<String> broken, Object answer, List<Call> calls) {}

    /** Tries a scenario with each cut of each of its calls; what differs is listed in the end. */
    public void survive(JsonObject empty, CrashScenario<OneConnectionFixture> scenario) {
        Clean clean = clean(empty, scenario);
        for (Call call : clean.calls()) {
            attempt(clean, scenario, call, new Fault.CutBefore());
            if (call.isChange()) {
                attempt(clean, scenario, call, new Fault.CutAfter());
                unfinished(call).forEach(injury -> attempt(clean, scenario, call, injury));
            }
        }
    }

    /** Returns what else becomes of a call whose connection is cut: up to 25.10 it goes on, and from 26 on it stops. */
    private Stream<Fault.Injury> unfinished(Call call) {
        return simulator.profile().before(Profile.V26_BETA)
                ? Stream.of(
                        new Fault.Late(LATEST.multipliedBy(random.nextInt(4)).dividedBy(3)))
                : IntStream.rangeClosed(1, call.steps()).mapToObj(Fault.Stopped::new);
    }

    /** Returns what differed from a clean run, a text for each run. */
    public List<String> differences() {
        return differences;
    }

    /** Returns what was sent to the box, as far as it was counted. */
    public SentPayloads payloads() {
        return payloads;
    }

    public int runs() {
        return runs;
    }

    private Clean clean(JsonObject empty, CrashScenario<OneConnectionFixture> scenario) {
        simulator.become(empty);
        try (OneConnectionFixture controller = controllers.open()) {
            scenario.given().accept(controller);
        }
        controllers.wait(LateCalls.LONGEST.multipliedBy(2));
        JsonObject before = simulator.dump();
        try (OneConnectionFixture controller = controllers.open()) {
            payloads.add(simulator.calls());
            simulator.clearCalls();
            Object answer = ok(scenario, controller);
            List<Call> calls = numbered(simulator.calls());
            return new Clean(before, BoxState.of(simulator.dump()), simulator.broken(), answer, calls);
        }
    }

    private static List<Call> numbered(List<CallLog.Entry> entries) {
        Map<String, Integer> counts = new HashMap<>();
        return entries.stream()
                .filter(entry -> Stream.of("auth.", "core.", "system.").noneMatch(entry.method()::startsWith))
                .map(entry -> new Call(entry.method(), counts.merge(entry.method(), 1, Integer::sum), entry.steps()))
                .toList();
    }

    private void attempt(Clean clean, CrashScenario<OneConnectionFixture> scenario, Call call, Fault.Injury injury) {
        if (random.nextInt(100) >= percent) {
            return;
        }
        String where = scenario.name() + " on " + simulator.profile() + ", " + injury + " at " + call;
        runs++;
        simulator.become(clean.before());
        simulator.clearFaults();
        OneConnectionFixture controller = controllers.open();
        simulator.clearCalls();
        simulator.fault(Fault.at(call.method(), injury).nth(call.nth()));
        try {
            Optional<Object> first = attempted(scenario, controller, where);
            boolean struck =
                    simulator.calls().stream().anyMatch(entry -> entry.outcome().equals(injury.toString()));
            if (!struck) {
                differences.add(where + ": was not struck");
            }
            if (random.nextBoolean()) {
                controller.close();
                controller = controllers.open();
            }
            Object answer = first.isPresent() ? first.get() : ok(scenario, controller);
            if (injury instanceof Fault.Late) {
                awaitLate();
            }
            Object again = ok(scenario, controller);
            compare(clean, where, answer, again);
            requireNotesToGo(where, controller);
        } catch (AssertionError | RuntimeException e) {
            differences.add(where + ": " + e);
        } finally {
            payloads.add(simulator.calls());
            simulator.clearCalls();
            simulator.clearFaults();
            controller.close();
            controllers.wait(LateCalls.LONGEST.multipliedBy(2));
        }
    }

    private void compare(Clean clean, String where, Object answer, Object again) {
        assertThat(answer).as(where).isEqualTo(clean.answer());
        assertThat(again).as(where).isEqualTo(clean.answer());
        assertThat(BoxState.of(simulator.dump())).as(where).isEqualTo(clean.after());
        assertThat(simulator.broken()).as(where).isEqualTo(clean.broken());
        assertThat(simulator.admission(this::letIn)).as(where).isEqualTo(simulator.admissionByRows(this::letIn));
        assertThat(simulator.lateAccess(NODES)).as(where).isEmpty();
    }

    /** Lists which nodes are let in to which exports. */
    private Set<String> letIn(Admission admission) {
        Set<String> letIn = new TreeSet<>();
        JsonObject dump = simulator.dump();
        for (int number = 1; number <= 3; number++) {
            NodeIdentity node = TestNodes.node(number);
            String address = "198.51.100." + number;
            each(dump, "nfs_share", "path", letIn, address, path -> admission.nfs(path, address));
            each(dump, "smb_share", "name", letIn, address, name -> admission.smb(name, address));
            String initiator = node.iqn().orElseThrow();
            each(dump, "iscsi_target", "name", letIn, initiator, name -> admission.iscsi(name, initiator));
            String host = node.nqn().orElseThrow();
            each(dump, "nvmet_subsys", "subnqn", letIn, host, name -> admission.nvme(name, host));
        }
        return letIn;
    }

    private static void each(
            JsonObject dump, String table, String key, Set<String> letIn, String node, Predicate<String> admits) {
        JsonObject rows = dump.getAsJsonObject(table);
        if (rows != null) {
            rows.asMap().values().stream()
                    .map(row -> row.getAsJsonObject().get(key).getAsString())
                    .filter(admits)
                    .forEach(name -> letIn.add(node + " at " + name));
        }
    }

    /**
     * Checks that what cut calls have noted goes once it is old enough: what is noted with a parent with the next
     * deletion below it, and what is noted with a volume with its next change. A note of a copy goes with the deletion
     * of what was copied.
     */
    private void requireNotesToGo(String where, OneConnectionFixture controller) {
        var calls = new UseCaseCalls(controller.useCases(), OneConnectionFixture.ON_NAS);
        if (!BoxState.copyNotes(simulator.dump()).isEmpty()) {
            controllers.wait(LateCalls.LONGEST.multipliedBy(2));
            patiently(where, () -> calls.deleteVolume("v:nas/pvc-2"));
            patiently(where, () -> calls.deleteSnapshot("s:nas/pvc-1/snap-1"));
            assertThat(BoxState.copyNotes(simulator.dump())).as(where).isEmpty();
        }
        if (BoxNotes.barring(simulator.dump()).isEmpty()) {
            return;
        }
        for (int round = 1; round <= 2; round++) { // another process counts from the moment at which it sees a note
            controllers.wait(LateCalls.LONGEST.multipliedBy(2));
            patiently(where, () -> calls.createVolume("pvc-9", 1L << 30, 0, Facts.Source.NONE));
            patiently(where, () -> calls.deleteVolume("v:nas/pvc-9"));
            long size = (4L + round) << 30;
            BoxNotes.barring(simulator.dump()).stream()
                    .map(note -> note.substring(0, note.indexOf(' ')))
                    .filter(dataset -> !dataset.equals(WiredConnection.PARENT))
                    .map(dataset -> "v:nas" + dataset.substring(WiredConnection.PARENT.length()))
                    .forEach(volume -> patiently(where, () -> calls.expandVolume(volume, size, 0)));
        }
        assertThat(BoxNotes.barring(simulator.dump())).as(where).isEmpty();
    }

    private void patiently(String where, Supplier<Answer<?>> call) {
        Answer<?> answer = call.get();
        if (answer.code() == Code.UNAVAILABLE) {
            controllers.wait(LateCalls.LONGEST.plusSeconds(1)); // another process has seen the note only now
            answer = call.get();
        }
        assertThat(answer.code()).as(where + ": " + answer.message()).isEqualTo(Code.OK);
    }

    /** Makes the call that is disturbed; empty if it fails, which it may in no final way. */
    private static Optional<Object> attempted(
            CrashScenario<OneConnectionFixture> scenario, OneConnectionFixture controller, String where) {
        try {
            return Optional.of(scenario.call().run(controller, TestWork.patient()));
        } catch (StorageException e) {
            assertThat(FinalAnswers.isFinal(e.failure())).as("%s: %s", where, e).isFalse();
            return Optional.empty();
        }
    }

    /** Repeats a call until it is done, and lets time go by between. */
    private Object ok(CrashScenario<OneConnectionFixture> scenario, OneConnectionFixture controller) {
        for (int i = 0; ; i++) {
            try {
                return scenario.call().run(controller, TestWork.patient());
            } catch (StorageException e) {
                if (i == MOST_REPETITIONS || FinalAnswers.isFinal(e.failure())) {
                    throw e;
                }
                awaitLate();
                controllers.wait(LateCalls.LONGEST.plusSeconds(1));
            }
        }
    }

    private void awaitLate() {
        for (int i = 0; i < 500 && isAwaited(); i++) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    private boolean isAwaited() {
        List<CallLog.Entry> calls = simulator.calls();
        return calls.stream().anyMatch(entry -> entry.outcome().startsWith("Late["))
                && calls.stream()
                        .noneMatch(entry -> entry.outcome().startsWith("late ")
                                || entry.outcome().startsWith("switched off"));
    }
}
