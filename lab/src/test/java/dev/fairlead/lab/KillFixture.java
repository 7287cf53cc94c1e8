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
    private static final int ATTEMPTS = 3;
    private static final Duration UNTIL_DEATH = Duration.ofSeconds(5);

    private final Scenario scenario;
    private final CrashPlace place;
    private DriverProcess driver;
    private CsiClient client;

    private KillFixture(Scenario scenario, CrashPlace place) throws IOException, InterruptedException {
        this.scenario = scenario;
        this.place = place;
        this.driver = place.driver().start();
        this.client = place.client();
    }

    static KillFixture in(Path folder, CrashKind kind, Scenario scenario) throws IOException, InterruptedException {
        return new KillFixture(scenario, CrashPlace.in(folder, kind, scenario));
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
    record CleanRun(String pristine, String state, List<Call> calls, List<Moment> moments) {}

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
            boolean programs = place.runsPrograms();
            List<Moment> moments = Moment.of(calls, place.folder(), lane, driver.log(), programs);
            return new CleanRun(pristine, state, calls, moments);
        }
    }

    /**
     * What came of killing at one moment.
     *
     * @param kills how many there were
     * @param missed for each of them that did not strike there, where it struck
     * @param different each state that is not a clean run's after a new start and a repeated call
     */
    record Disturbed(int kills, List<String> missed, List<String> different) {
        boolean pinned() {
            return kills == missed.size() + 1;
        }
    }

    /** Kills right before one call; where another one was hit, which is seen in the trace, it does so again. */
    Disturbed kill(Moment moment, CleanRun clean) throws IOException, InterruptedException {
        int kills = 0;
        List<String> missed = new ArrayList<>();
        List<String> different = new ArrayList<>();
        while (missed.size() < ATTEMPTS && kills == missed.size()) {
            makeReady(clean.pristine());
            List<Call> calls = List.of();
            boolean died = false;
            try (Trace trace = Trace.kill(driver, place.log(), moment)) {
                died = dies(moment);
                kills += died ? 1 : 0;
                calls = trace.calls(died);
            }
            if (!driver.isAlive()) {
                restart();
            }
            scenario.act(client, place);
            String state = place.state();
            if (!state.equals(clean.state())) {
                different.add("killed before " + moment + ":\n" + state);
            }
            (died ? moment.missedBy(calls, place.folder()) : Optional.of("the driver did not die"))
                    .ifPresent(missed::add);
        }
        return new Disturbed(kills, missed, different);
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
