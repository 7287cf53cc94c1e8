package dev.fairlead.lab;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.BoxState;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A simulated TrueNAS, and a controller of it as a process of its own, which is killed at a call to the box and started
 * anew; or its connection is cut there, and it goes on.
 */
final class TruenasKillFixture implements AutoCloseable {
    /** The time that a call whose caller is killed before its effect takes until then. */
    private static final Duration LATE = Duration.ofMillis(300);

    private static final Set<Status.Code> PASSING = Set.of(
            Status.Code.UNAVAILABLE,
            Status.Code.ABORTED,
            Status.Code.DEADLINE_EXCEEDED,
            Status.Code.RESOURCE_EXHAUSTED);

    private final Simulator box;
    private final JsonObject pristine;
    private final TruenasProtocol protocol;
    private final DriverFixture fixture;
    private final Optional<Toxiproxy.Link> link;
    private DriverProcess driver;
    private CsiClient client;

    private TruenasKillFixture(
            Simulator box, TruenasProtocol protocol, DriverFixture fixture, Optional<Toxiproxy.Link> link)
            throws IOException, InterruptedException {
        this.box = box;
        this.pristine = box.dump();
        this.protocol = protocol;
        this.fixture = fixture;
        this.link = link;
        this.driver = fixture.start();
        this.client = new CsiClient(fixture.socket());
    }

    /** @param proxy what is between the controller and the box, if anything is */
    static TruenasKillFixture start(Profile profile, TruenasProtocol protocol, Path folder, Optional<Toxiproxy> proxy)
            throws IOException, InterruptedException {
        Simulator box = Simulator.start(profile, Files.createDirectories(folder.resolve("box")));
        Optional<Toxiproxy.Link> link = Optional.empty();
        if (proxy.isPresent()) {
            link = Optional.of(proxy.get().link(box.port()));
        }
        int port = link.map(Toxiproxy.Link::port).orElse(box.port());
        return new TruenasKillFixture(
                box, protocol, DriverFixture.alone(folder, protocol.file(port, box.rootKey())), link);
    }

    /**
     * Names a call to the box at which something is done to the caller.
     *
     * @param nth which of its method's in this run, from 1
     * @param after whether it has taken effect then, and its answer is not seen
     * @param kill whether the caller is killed, or only its connection cut
     */
    record Moment(String method, int nth, boolean after, boolean kill) {
        Fault fault() {
            return Fault.at(method, after ? new Fault.Silent() : new Fault.Hesitant(LATE))
                    .nth(nth);
        }
    }

    /** Holds what a run that nobody disturbs began with, what it came to, and its calls. */
    record CleanRun(JsonObject before, String state, String answer, List<Moment> calls) {}

    /** Makes the box what it was at first, for a controller that knows nothing. */
    void empty() throws IOException, InterruptedException {
        box.become(pristine);
        restart();
    }

    /** Makes what a call needs, and the call, which nobody disturbs. */
    CleanRun cleanRun(TruenasCall call) throws IOException, InterruptedException {
        call.prepare(client);
        JsonObject before = box.dump();
        if (call != TruenasCall.CREATE) {
            restart(); // as after a kill: a process that began lately is more careful
        }
        box.clearCalls();
        String answer = call.act(client);
        Map<String, Integer> counts = new HashMap<>();
        List<Moment> calls = new ArrayList<>();
        for (CallLog.Entry entry : box.calls()) {
            String method = entry.method();
            if (!method.startsWith("auth.") && !method.startsWith("core.") && !method.startsWith("system.")) {
                calls.add(new Moment(method, counts.merge(method, 1, Integer::sum), false, true));
            }
        }
        return new CleanRun(before, state(), answer, calls);
    }

    /** Says what came of one moment: whether the caller came to it, and what differs from a clean run, if anything. */
    record Disturbed(boolean struck, Optional<String> difference) {}

    /** Makes the same call from the same beginning, with something done at one moment. */
    Disturbed disturb(TruenasCall call, CleanRun clean, Moment moment) throws IOException, InterruptedException {
        box.become(clean.before());
        box.clearFaults();
        box.clearCalls();
        box.fault(moment.fault());
        CsiClient asking = client;
        var running = CompletableFuture.supplyAsync(() -> outcome(call, asking));
        boolean struck = comes(() -> running.isDone() || hasStruck(moment)) && hasStruck(moment);
        if (struck && moment.kill()) {
            driver.kill();
        } else if (struck) {
            cut();
        }
        box.clearFaults();
        Optional<Status.Code> first = await(running);
        if (first.filter(code -> !PASSING.contains(code)).isPresent()) {
            return new Disturbed(struck, Optional.of("answered " + first.get()));
        }
        if (moment.kill()) {
            restart();
        }
        if (!moment.after()) {
            TimeUnit.MILLISECONDS.sleep(LATE.toMillis());
        }
        return new Disturbed(struck, difference(call, clean));
    }

    private boolean hasStruck(Moment moment) {
        return box.strikes() > 0
                && (!moment.after()
                        || box.calls().stream()
                                .anyMatch(entry -> entry.outcome()
                                        .equals(moment.fault().injury().toString())));
    }

    private void cut() throws IOException, InterruptedException {
        if (link.isPresent()) {
            link.get().cut();
        } else {
            box.cutConnections();
        }
    }

    private static Optional<Status.Code> await(CompletableFuture<Optional<Status.Code>> running) {
        return running.orTimeout(2, TimeUnit.MINUTES).join();
    }

    private static boolean comes(BooleanSupplier what) throws InterruptedException {
        for (int i = 0; i < 30_000 && !what.getAsBoolean(); i++) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return what.getAsBoolean();
    }

    private static Optional<Status.Code> outcome(TruenasCall call, CsiClient client) {
        try {
            var _ = call.act(client);
            return Optional.empty();
        } catch (StatusRuntimeException e) {
            return Optional.of(e.getStatus().getCode());
        }
    }

    /** Repeats the call until it is answered, and once more, and compares. */
    private Optional<String> difference(TruenasCall call, CleanRun clean) throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            String answer;
            try {
                answer = repeated(call);
            } catch (StatusRuntimeException e) {
                return Optional.of("the repetition was answered " + e.getStatus());
            }
            if (!answer.equals(clean.answer())) {
                return Optional.of("answered " + answer);
            }
        }
        String state = state();
        if (!state.equals(clean.state())) {
            return Optional.of("is now\n" + state);
        }
        // The call that was disturbed may have left the one that it noted, which goes with the next change (ADR 39).
        Set<String> notes = BoxState.callNotes(box.dump());
        return notes.size() > 1 ? Optional.of("has the notes " + notes) : Optional.empty();
    }

    private String repeated(TruenasCall call) throws InterruptedException {
        long giveUp = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (true) {
            try {
                return call.act(client);
            } catch (StatusRuntimeException e) {
                if (!PASSING.contains(e.getStatus().getCode()) || System.nanoTime() > giveUp) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(500);
            }
        }
    }

    private String state() {
        return BoxState.of(box.dump()) + "\n" + box.broken() + "\n" + box.lateAccess(TruenasCall.INITIATORS);
    }

    /** Kills the controller, and starts another one, which knows nothing. */
    void restart() throws IOException, InterruptedException {
        client.close();
        if (driver.isAlive()) {
            driver.kill();
        }
        driver = fixture.start();
        client = new CsiClient(fixture.socket(), Duration.ofSeconds(90));
    }

    @Override
    public String toString() {
        return box.profile() + " " + protocol;
    }

    @Override
    public void close() throws IOException {
        client.close();
        driver.kill();
        if (link.isPresent()) {
            link.get().close();
        }
        box.close();
    }
}
