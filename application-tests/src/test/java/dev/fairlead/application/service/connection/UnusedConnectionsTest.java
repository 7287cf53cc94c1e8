package dev.fairlead.application.service.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.call.TestClock;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that no call uses are let go of, and nobody who needs them again notices. */
@Timeout(20)
class UnusedConnectionsTest {
    private static final ConnectionName NAS = new ConnectionName("nas");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Problem MISSPELT =
            new Problem(Problem.Severity.ERROR, "nas.yaml", 3, "drivr", "unknown key", "did you mean driver?");

    private final TestClock clock = new TestClock();
    private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicBoolean busy = new AtomicBoolean();
    private final Connections connections =
            new Connections(Thread.ofPlatform().daemon().factory(), clock, Telemetry.NONE);

    @Test
    void an_unused_connection_is_closed_and_its_next_call_opens_it_again() throws InterruptedException {
        install("first");

        clock.advance(HOUR);
        List<ConnectionName> once = connections.letGoOfUnused(HOUR);
        List<ConnectionName> twice = connections.letGoOfUnused(HOUR);
        String gone = closed.take();
        String answer = call();

        assertThat(once).containsExactly(NAS);
        assertThat(twice).isEmpty();
        assertThat(gone).isEqualTo("exporter first");
        assertThat(answer).isEqualTo("first");
        assertThat(opened).hasValue(2);
    }

    @Test
    void each_use_begins_the_time_anew() {
        install("first");

        for (int i = 0; i < 5; i++) {
            clock.advance(HOUR.minusSeconds(1));
            call();
            assertThat(connections.letGoOfUnused(HOUR)).isEmpty();
        }

        assertThat(opened).hasValue(1);
    }

    @Test
    void one_that_a_call_uses_stays_however_long_that_takes() {
        install("first");
        try (ConnectionUse use = connections.use(NAS)) {
            clock.advance(HOUR.multipliedBy(9));

            assertThat(connections.letGoOfUnused(HOUR)).isEmpty();
            assertThat(use.read(clock.work("GetVolume"), "look", Backend::driverType))
                    .isEqualTo("first");
        }

        assertThat(connections.letGoOfUnused(HOUR)).isEmpty();
        assertThat(closed).isEmpty();
    }

    @Test
    void one_where_a_call_is_stuck_stays_although_nobody_waits_for_it() {
        install("first");
        CountDownLatch storageAnswers = new CountDownLatch(1);
        try (ConnectionUse use = connections.use(NAS)) {
            assertThatThrownBy(() -> use.read(clock.work("GetVolume"), "look", _ -> await(storageAnswers)))
                    .isInstanceOf(StorageException.class);
        }

        clock.advance(HOUR);
        List<ConnectionName> meanwhile = connections.letGoOfUnused(HOUR);
        storageAnswers.countDown();

        assertThat(meanwhile).isEmpty();
    }

    @Test
    void one_at_work_in_the_background_stays_until_that_is_done() {
        install("first");
        busy.set(true);

        clock.advance(HOUR);
        List<ConnectionName> before = connections.letGoOfUnused(HOUR);
        busy.set(false);
        List<ConnectionName> after = connections.letGoOfUnused(HOUR);

        assertThat(before).isEmpty();
        assertThat(after).containsExactly(NAS);
    }

    @Test
    void one_that_cannot_be_opened_again_is_never_let_go_of() {
        connections.install(TestBackends.of(NAS, "only", Map.of(), closed::add));

        clock.advance(HOUR);

        assertThat(connections.letGoOfUnused(HOUR)).isEmpty();
        assertThat(call()).isEqualTo("only");
    }

    @Test
    void who_only_asks_for_names_and_labels_opens_nothing() {
        install("first");
        letGo();

        assertThat(connections.names()).containsExactly(NAS);
        assertThat(connections.labelled(Map.of("tier", "fast"))).containsExactly(NAS);
        assertThat(opened).hasValue(1);
    }

    @Test
    void an_edit_while_it_is_closed_takes_its_place() {
        install("first");
        letGo();

        install("second");

        assertThat(call()).isEqualTo("second");
        assertThat(opened).hasValue(2);
    }

    @Test
    void a_broken_edit_while_it_is_closed_keeps_the_last_good_version() {
        install("first");
        letGo();

        connections.reject(NAS, List.of(MISSPELT));

        assertThat(call()).isEqualTo("first");
        assertThat(connections.problems()).containsOnlyKeys(NAS);
    }

    @Test
    void a_broken_edit_before_it_is_closed_is_remembered() {
        install("first");
        connections.reject(NAS, List.of(MISSPELT));

        letGo();

        assertThat(connections.problems()).containsOnlyKeys(NAS);
        assertThat(call()).isEqualTo("first");
    }

    @Test
    void removal_while_it_is_closed_leaves_nothing() {
        install("first");
        letGo();

        connections.remove(NAS);
        connections.close();

        assertThatThrownBy(() -> connections.use(NAS)).hasMessageContaining("FL-CON-001");
        assertThat(opened).hasValue(1);
    }

    @Test
    void one_that_does_not_open_says_why_and_is_tried_again_by_the_next_call() {
        AtomicBoolean possible = new AtomicBoolean();
        connections.install(backend("first"), () -> {
            if (possible.get()) {
                return backend("first");
            }
            throw new StorageException(new Failure.ConnectionBroken("nas", List.of("key.pem: is missing")));
        });
        letGo();

        assertThatThrownBy(() -> connections.use(NAS)).hasMessageContaining("key.pem: is missing");
        possible.set(true);
        assertThat(call()).isEqualTo("first");
    }

    @Test
    void several_calls_at_once_open_it_once() throws InterruptedException {
        install("first");
        letGo();
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            callers.add(Thread.ofVirtual().start(() -> {
                await(go);
                connections.use(NAS).close();
            }));
        }

        go.countDown();
        for (Thread caller : callers) {
            caller.join();
        }

        assertThat(opened).hasValue(2);
    }

    /** Whoever lets go does so all the time, and whoever calls never sees a backend that is closed. */
    @Test
    void letting_go_and_calling_at_once_fails_no_call_and_leaves_nothing_open() throws InterruptedException {
        connections.install(numbered(), this::numbered);
        AtomicBoolean stop = new AtomicBoolean();
        Thread sweeper = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                connections.letGoOfUnused(Duration.ZERO);
            }
        });
        List<String> wrong = Collections.synchronizedList(new ArrayList<>());
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            callers.add(Thread.ofPlatform().start(() -> callOften(wrong)));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        stop.set(true);
        sweeper.join();
        connections.close();

        assertThat(wrong).isEmpty();
        assertThat(closed).doesNotHaveDuplicates().hasSize(2 * opened.get());
    }

    private void callOften(List<String> wrong) {
        while (opened.get() < 50 && wrong.isEmpty()) {
            try (ConnectionUse use = connections.use(NAS)) {
                String version = use.read(clock.work("GetVolume"), "look", Backend::driverType);
                if (closed.contains("exporter " + version)) {
                    wrong.add(version + " was closed while in use");
                }
            } catch (RuntimeException e) {
                wrong.add(e.toString());
            }
            LockSupport.parkNanos(100_000);
        }
    }

    private Backend numbered() {
        return TestBackends.patient(NAS, "version-" + opened.incrementAndGet(), closed::add);
    }

    private void letGo() {
        clock.advance(HOUR);
        assertThat(connections.letGoOfUnused(HOUR)).containsExactly(NAS);
    }

    private String call() {
        try (ConnectionUse use = connections.use(NAS)) {
            return use.read(clock.work("GetVolume"), "look", Backend::driverType);
        }
    }

    private void install(String version) {
        connections.install(backend(version), () -> backend(version));
    }

    private Backend backend(String version) {
        opened.incrementAndGet();
        return TestBackends.of(NAS, version, Map.of("tier", "fast"), closed::add, busy::get);
    }

    private static String await(CountDownLatch latch) {
        try {
            latch.await();
            return "answer";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
