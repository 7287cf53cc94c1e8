package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

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
    private final DriverFixture fixture;
    private DriverProcess driver;
    private CsiClient client;

    private KillFixture(Scenario scenario, DriverFixture fixture) throws IOException, InterruptedException {
        this.scenario = scenario;
        this.fixture = fixture;
        this.driver = fixture.start();
        this.client = new CsiClient(fixture.socket());
    }

    static KillFixture in(Path folder, Scenario scenario) throws IOException, InterruptedException {
        clear(folder);
        Files.createDirectories(folder.resolve("node"));
        return new KillFixture(scenario, DriverFixture.hostpath(folder));
    }

    Path base() {
        return fixture.base();
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
        client.delete(client.create("v0", Map.of()).getVolumeId());
        String pristine = state();
        makeReady(pristine);
        scenario.act(client, fixture);
        makeReady(pristine);
        int lane = driver.thread("lane-");
        try (Trace trace = Trace.watch(driver, log())) {
            scenario.act(client, fixture);
            String state = state();
            List<Call> calls = trace.calls(false);
            return new CleanRun(pristine, state, calls, Moment.of(calls, fixture.folder(), lane, driver.log()));
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
            try (Trace trace = Trace.kill(driver, log(), moment)) {
                boolean died = dies(moment);
                kills += died ? 1 : 0;
                calls = trace.calls(died);
            }
            if (!driver.isAlive()) {
                restart();
            }
            scenario.act(client, fixture);
            String state = state();
            if (!state.equals(clean.state())) {
                different.add("killed before " + moment + ":\n" + state);
            }
            moment.missedBy(calls, fixture.folder()).ifPresent(missed::add);
        }
        return new Disturbed(kills, missed, different);
    }

    private boolean dies(Moment moment) throws InterruptedException {
        try {
            scenario.act(client, fixture);
        } catch (StatusRuntimeException e) {
            driver.awaitDeath();
            return true;
        }
        return moment.call().emptiesTrash() && driver.endsWithin(UNTIL_DEATH);
    }

    private void restart() throws IOException, InterruptedException {
        client.close();
        driver = fixture.start();
        client = new CsiClient(fixture.socket());
    }

    /** Takes away what was made, which must leave nothing, and makes what the RPC needs. */
    private void makeReady(String pristine) throws IOException, InterruptedException {
        Scenario.reset(client, fixture);
        assertThat(state()).as("what a deleted volume leaves").isEqualTo(pristine);
        scenario.prepare(client, fixture);
        if (scenario.needsNewProcess()) {
            driver.close();
            restart();
            startThreads();
        }
        settle();
    }

    /** Lets the process start the threads of its first call, so that they are there when it is watched. */
    private void startThreads() {
        try {
            client.delete("v0");
        } catch (StatusRuntimeException _) {
            // nothing can be said of a volume in an empty base
        }
    }

    private String state() throws IOException, InterruptedException {
        settle();
        Path node = fixture.folder().resolve("node");
        return Tree.of(fixture.base()) + "\n" + Tree.mountsBelow(node) + "\n" + String.join(" ", names(node));
    }

    /** Waits until the trash is empty, which happens after the answer. */
    private void settle() throws IOException, InterruptedException {
        Path trash = fixture.base().resolve(".fairlead/trash");
        for (int i = 0; i < 1000 && Files.isDirectory(trash) && !names(trash).isEmpty(); i++) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> list = Files.list(folder)) {
            return list.map(Path::toString).sorted().toList();
        }
    }

    private Path log() {
        return fixture.folder().resolve("trace");
    }

    private static void clear(Path folder) throws IOException {
        Tree.unmountBelow(folder);
        Tree.remove(folder);
    }

    @Override
    public void close() throws IOException {
        client.close();
        driver.kill();
        clear(fixture.folder());
    }
}
