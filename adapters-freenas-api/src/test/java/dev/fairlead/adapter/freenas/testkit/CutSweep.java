package dev.fairlead.adapter.freenas.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.crash.FinalAnswers;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Cuts the connection before and after each call that an RPC makes, lets changes take effect late, repeats the RPC, and
 * compares the state of the box with that after a clean run.
 */
public final class CutSweep {
    private static final int MOST_REPETITIONS = 8;
    private static final Duration LATEST = Duration.ofMillis(60);

    private final Simulator simulator;
    private final BoxController controllers;
    private final Random random;
    private final int percent;
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
    }

    /** Numbers a call among those of its method in one run. */
    private record Call(String method, int nth) {
        boolean isChange() {
            return Stream.of(".query", "get_instance", "config", "get_jobs", "choices", "info", "stat", "version")
                    .noneMatch(method::endsWith);
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
                if (simulator.profile().before(Profile.V26_BETA)) {
                    attempt(
                            clean,
                            scenario,
                            call,
                            new Fault.Late(
                                    LATEST.multipliedBy(random.nextInt(4)).dividedBy(3)));
                }
            }
        }
    }

    /** Returns what differed from a clean run, a text for each run. */
    public List<String> differences() {
        return differences;
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
            simulator.clearCalls();
            Object answer = ok(scenario, controller);
            List<Call> calls = numbered(simulator.calls());
            return new Clean(before, BoxState.of(simulator.dump()), simulator.broken(), answer, calls);
        }
    }

    private static List<Call> numbered(List<CallLog.Entry> entries) {
        Map<String, Integer> counts = new HashMap<>();
        return entries.stream()
                .map(CallLog.Entry::method)
                .filter(method ->
                        !method.startsWith("auth.") && !method.startsWith("core.") && !method.startsWith("system."))
                .map(method -> new Call(method, counts.merge(method, 1, Integer::sum)))
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
        } catch (AssertionError | RuntimeException e) {
            differences.add(where + ": " + e);
        } finally {
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
