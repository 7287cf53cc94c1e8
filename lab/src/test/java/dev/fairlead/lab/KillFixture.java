package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One scenario in a folder of its own, and the driver there, killed and started as often as it takes.
 *
 * <p>The process that has repaired what its killed predecessor left is the next to be killed, once all that the
 * scenario made is deleted by it and nothing is left.
 */
final class KillFixture implements AutoCloseable {
    private static final int ATTEMPTS = 4;
    private static final Duration UNTIL_DEATH = Duration.ofSeconds(5);

    private final Scenario scenario;
    private final CrashPlace place;
    private final KillingPrograms killing;
    private DriverProcess driver;
    private CsiClient client;

    private KillFixture(Scenario scenario, CrashPlace place, KillingPrograms killing)
            throws IOException, InterruptedException {
        this.scenario = scenario;
        this.place = place;
        this.killing = killing;
        this.driver = place.driver().start();
        this.client = place.client();
    }

    static KillFixture in(Path folder, CrashKind kind, Scenario scenario) throws IOException, InterruptedException {
        return new KillFixture(scenario, CrashPlace.in(folder, kind, scenario), KillingPrograms.none(folder));
    }

    /** The same, with programs in which the driver can be killed. */
    static KillFixture withPrograms(Path folder, CrashKind kind, Scenario scenario)
            throws IOException, InterruptedException {
        CrashPlace place = CrashPlace.in(folder, kind, scenario);
        return new KillFixture(scenario, place, KillingPrograms.make(folder));
    }

    Path base() {
        return place.base();
    }

    /**
     * A run that nobody disturbs.
     *
     * @param pristine what there is before and after
     * @param state what the RPC made of it
     * @param calls all that was seen of it
     * @param moments each change, as a place to die before
     */
    record CleanRun(String pristine, String state, List<Call> calls, List<Moment> moments) {
        /** Asserts that each kill struck where it should, and that none left another state than this. */
        void assertNoneHarmed(List<Disturbed> runs) {
            assertThat(runs)
                    .flatExtracting(Disturbed::different)
                    .as("states unlike the clean run's, which is\n%s", state)
                    .isEmpty();
            assertThat(runs)
                    .allSatisfy(run ->
                            assertThat(run.pinned()).as("%s", run.missed()).isTrue());
        }
    }

    /** Does the RPC twice, since what the first does for the first time no later one does. */
    CleanRun cleanRun() throws IOException, InterruptedException {
        client.delete(client.create(place.request("v0").build()).getVolumeId());
        String pristine = place.state();
        makeReady(pristine);
        scenario.act(client, place);
        makeReady(pristine);
        int lane = driver.thread("lane-");
        try (Trace trace = Trace.watch(driver, place.log())) {
            scenario.act(client, place);
            String state = place.state();
            List<Call> calls = trace.calls(false);
            List<Moment> moments = Moment.of(calls, place.folder(), lane, driver.log(), driver.threads());
            return new CleanRun(pristine, state, calls, moments);
        }
    }

    /**
     * What came of killing at one moment.
     *
     * @param kills how many there were
     * @param pinned whether one of them struck there
     * @param missed for each of them that did not strike there, where it struck
     * @param different each state that is not a clean run's after a new start and a repeated call
     */
    record Disturbed(int kills, boolean pinned, List<String> missed, List<String> different) {}

    /** Kills right before one call; where another one was hit, which is seen in the trace, it does so again. */
    Disturbed kill(Moment moment, CleanRun clean) throws IOException, InterruptedException {
        int kills = 0;
        boolean pinned = false;
        List<String> missed = new ArrayList<>();
        List<String> different = new ArrayList<>();
        while (missed.size() < ATTEMPTS && !pinned) {
            makeReady(clean.pristine());
            int lane = driver.thread("lane-");
            List<Call> calls = List.of();
            boolean died = false;
            try (Trace trace = Trace.kill(driver, place.log(), moment, missed.size())) {
                died = dies(moment);
                kills += died ? 1 : 0;
                calls = trace.calls(died);
            }
            repeat(clean, "killed before " + moment).ifPresent(different::add);
            Optional<String> miss =
                    died ? moment.missedBy(calls, place.folder(), lane) : Optional.of("the driver did not die");
            miss.ifPresent(missed::add);
            pinned = miss.isEmpty();
        }
        return new Disturbed(kills, pinned, missed, different);
    }

    /**
     * Kills in the nth program of the RPC; where another one was started, it does so again.
     *
     * @param programs what the undisturbed RPC starts
     */
    Disturbed kill(KillingPrograms.Death death, int nth, List<String> programs, CleanRun clean)
            throws IOException, InterruptedException {
        String aim = death + " " + programs.get(nth - 1);
        int kills = 0;
        boolean pinned = false;
        List<String> missed = new ArrayList<>();
        List<String> different = new ArrayList<>();
        while (missed.size() < ATTEMPTS && !pinned) {
            makeReady(clean.pristine());
            killing.arm(death, nth);
            boolean died = diesInProgram();
            List<String> started = killing.started();
            killing.disarm();
            kills += died ? 1 : 0;
            repeat(clean, "killed " + aim).ifPresent(different::add);
            pinned = died && started.size() >= nth && started.subList(0, nth).equals(programs.subList(0, nth));
            if (!pinned) {
                missed.add(aim + (died ? " was after " + started : ": the driver did not die"));
            }
        }
        return new Disturbed(kills, pinned, missed, different);
    }

    private boolean diesInProgram() throws IOException, InterruptedException {
        try {
            scenario.act(client, place);
        } catch (StatusRuntimeException _) {
            return driver.endsWithin(UNTIL_DEATH);
        }
        if (driver.isAlive()) {
            place.settle(); // the trash is emptied after the answer
        }
        return driver.endsWithin(Duration.ofMillis(100));
    }

    /** Repeats the RPC; returns what is then unlike the state after an undisturbed run. */
    private Optional<String> repeat(CleanRun clean, String what) throws IOException, InterruptedException {
        if (!driver.isAlive()) {
            restart();
        }
        scenario.act(client, place);
        String state = place.state();
        return state.equals(clean.state()) ? Optional.empty() : Optional.of(what + ":\n" + state);
    }

    /** Returns the programs that an undisturbed RPC starts, with what it does after its answer. */
    List<String> programs(CleanRun clean) throws IOException, InterruptedException {
        makeReady(clean.pristine());
        killing.disarm();
        scenario.act(client, place);
        place.settle();
        return killing.started();
    }

    private boolean dies(Moment moment) throws InterruptedException {
        try {
            scenario.act(client, place);
        } catch (StatusRuntimeException e) {
            return driver.endsWithin(UNTIL_DEATH); // a program that works for it may have been hit in its place
        }
        return moment.call().emptiesTrash() && driver.endsWithin(UNTIL_DEATH);
    }

    private void restart() throws IOException, InterruptedException {
        client.close();
        driver = place.driver().start();
        client = place.client();
    }

    /** Takes away what was made, which must leave nothing, and makes what the RPC needs. */
    private void makeReady(String pristine) throws IOException, InterruptedException {
        Scenario.reset(client, place);
        assertThat(place.state()).as("what a deleted volume leaves").isEqualTo(pristine);
        place.forgetSizes();
        scenario.prepare(client, place);
        if (scenario.needsNewProcess()) {
            driver.close();
            restart();
            startThreads();
        }
        place.settle();
    }

    /** Lets the process start the threads of its first call, so that they are there when it is watched. */
    private void startThreads() {
        try {
            client.delete("v0");
        } catch (StatusRuntimeException _) {
            // nothing can be said of a volume in an empty base
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        driver.kill();
        place.remove();
    }
}
