package dev.fairlead.adapter.freenas.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.testkit.AtOnce;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.out.host.StorageHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers who want to know whether SSH and the API lead to one box: many at once, and again later. */
class OneBoxTest {
    private static final int CALLERS = 32;
    private static final OneBox.BoxAddresses ADDRESSES =
            new OneBox.BoxAddresses("nas", "nas:22", "nas:443", "tank", List.of("zpool"));

    @TempDir
    private Path folder = Path.of("/nowhere");

    private final CountDownLatch comers = new CountDownLatch(CALLERS);

    /** A host whose program answers once all callers have come, so that none of them meets an answer. */
    private final class SlowHost implements CommandRunner {
        private final AtomicInteger runs = new AtomicInteger();
        private final IntFunction<Ended> answers;

        SlowHost(IntFunction<Ended> answers) {
            this.answers = answers;
        }

        @Override
        public Ended run(Command command, Work work) {
            int run = runs.incrementAndGet();
            try {
                comers.await();
                TimeUnit.MILLISECONDS.sleep(100); // the last of them has come to its question
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return answers.apply(run);
        }

        int runs() {
            return runs.get();
        }

        @Override
        public void close() {}
    }

    private static StorageHost host(CommandRunner runner) {
        return new StorageHost(runner, false, Elevation.by("/usr/bin/sudo"));
    }

    private List<Optional<Failure>> outcomes(SlowHost runner, TruenasApi api) {
        var boxes = new OneBox(InstantSource.system());
        StorageHost host = host(runner);
        return IntStream.range(0, CALLERS)
                .mapToObj(_ -> AtOnce.ask(() -> {
                    comers.countDown();
                    try {
                        boxes.require(ADDRESSES, host, api, TestWork.patient());
                        return Optional.<Failure>empty();
                    } catch (StorageException e) {
                        return Optional.of(e.failure());
                    }
                }))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private static String guid(SimulatedBox box) {
        return box.client()
                .get()
                .list(ApiCollection.POOL, ApiQuery.of("name", "tank"), TestWork.patient())
                .getFirst()
                .get("guid")
                .getAsString();
    }

    @Test
    void callers_who_come_at_the_same_time_ask_once() {
        var box = new SimulatedBox(Profile.V25_10, folder);
        var runner = new SlowHost(_ -> CommandRunner.Ended.with(0, guid(box) + "\n", ""));

        assertThat(outcomes(runner, box.client().get())).allMatch(Optional::isEmpty);
        assertThat(runner.runs()).isOne();
    }

    @Test
    void all_of_them_are_told_that_there_are_two_boxes() {
        var box = new SimulatedBox(Profile.V25_10, folder);
        var runner = new SlowHost(_ -> CommandRunner.Ended.with(0, "4711\n", ""));

        assertThat(outcomes(runner, box.client().get()))
                .allMatch(failure -> failure.filter(Failure.ConnectionBroken.class::isInstance)
                        .isPresent());
        assertThat(runner.runs()).isOne();
    }

    @Test
    void one_whose_own_call_was_cancelled_is_followed_by_another() {
        var box = new SimulatedBox(Profile.V25_10, folder);
        var runner = new SlowHost(run -> {
            if (run == 1) {
                throw new StorageException(new Failure.Cancelled("CreateVolume"));
            }
            return CommandRunner.Ended.with(0, guid(box) + "\n", "");
        });

        assertThat(outcomes(runner, box.client().get()))
                .filteredOn(Optional::isPresent)
                .hasSize(1);
        assertThat(runner.runs()).isEqualTo(2);
    }

    /** A host whose program gives one answer after the other, the last one for ever. */
    private static final class Answers implements CommandRunner {
        private final List<Supplier<Ended>> answers;
        private int runs;

        Answers(List<Supplier<Ended>> answers) {
            this.answers = answers;
        }

        @Override
        public Ended run(Command command, Work work) {
            return answers.get(Math.min(runs++, answers.size() - 1)).get();
        }

        @Override
        public void close() {}
    }

    @Test
    void ssh_that_did_not_answer_is_asked_again_soon_and_opens_nothing_for_longer() {
        var box = new SimulatedBox(Profile.V25_10, folder);
        var clock = SteppingClock.standing();
        var boxes = new OneBox(clock);
        var runner = new Answers(List.of(
                () -> {
                    throw new StorageException(new Failure.BackendUnavailable("nas", "no route to nas:22"));
                },
                () -> CommandRunner.Ended.with(1, "", "cannot open 'tank': no such pool"),
                () -> CommandRunner.Ended.with(0, "4711\n", "")));
        Runnable change =
                () -> boxes.require(ADDRESSES, host(runner), box.client().get(), TestWork.patient());

        change.run();
        change.run(); // at once: not asked for each change
        assertThat(runner.runs).isOne();

        clock.advance(OneBox.UNTOLD);
        change.run();
        assertThat(runner.runs).isEqualTo(2);

        clock.advance(OneBox.UNTOLD);
        assertThat(Failing.failure(change)).isInstanceOf(Failure.ConnectionBroken.class);
    }

    @Test
    void a_program_that_is_missing_is_not_looked_for_again_soon() {
        var box = new SimulatedBox(Profile.V25_10, folder);
        var clock = SteppingClock.standing();
        var boxes = new OneBox(clock);
        var runner =
                new Answers(List.of(() -> CommandRunner.Ended.with(127, "", "env: zpool: No such file or directory")));
        Runnable change =
                () -> boxes.require(ADDRESSES, host(runner), box.client().get(), TestWork.patient());

        change.run();
        clock.advance(OneBox.VALID.minusSeconds(1));
        change.run();
        assertThat(runner.runs).isOne();

        clock.advance(Duration.ofSeconds(1));
        change.run();
        assertThat(runner.runs).isEqualTo(2);
    }
}
