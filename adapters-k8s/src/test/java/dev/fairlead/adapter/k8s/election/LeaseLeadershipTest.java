package dev.fairlead.adapter.k8s.election;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.adapter.k8s.election.ElectionSettings.Times;
import dev.fairlead.application.port.out.cluster.Leadership.Standing;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.MonotonicClock;
import dev.fairlead.http.Json;
import dev.fairlead.testkit.Until;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real threads and real HTTP. Time decides only where the test is about it; there it has another that is far longer
 * beside it.
 */
class LeaseLeadershipTest {
    private static final String PATH = "/apis/coordination.k8s.io/v1/namespaces/storage/leases/csi";
    private static final Duration RETRY = Duration.ofMillis(100);

    /** No lease runs out while a test goes on. */
    private static final Times LASTING = new Times(Duration.ofMinutes(5), Duration.ofMinutes(4), RETRY);

    /** A lead that is not renewed ends soon, and others begin far later. */
    private static final Times SOON_OVER = new Times(Duration.ofMinutes(5), Duration.ofSeconds(3), RETRY);

    private static final Times SOON_FREE = new Times(Duration.ofSeconds(5), Duration.ofSeconds(4), RETRY);

    /** The seconds after which what has not come about does not come. */
    private static final long LONG = 30;

    private static final ThreadFactory DAEMONS = Thread.ofPlatform().daemon().factory();

    private final FakeApiServer server = FakeApiServer.plain();
    private final List<Replica> replicas = new ArrayList<>();

    @AfterEach
    void close() {
        replicas.forEach(replica -> replica.leadership.end());
        server.close();
    }

    @Test
    void one_leads_and_the_other_stands_by_and_knows_who_leads() throws Exception {
        var one = new Replica("one");
        one.leads();
        var other = new Replica("other");

        Until.holds(() -> other.leadership.leader().equals("one"));

        assertThat(one.leadership.standing()).isEqualTo(Standing.LEADING);
        assertThat(other.leadership.standing()).isEqualTo(Standing.STANDBY);
        assertThat(holder()).isEqualTo("one");
    }

    @Test
    void a_leader_that_resigns_is_followed_at_once() throws Exception {
        var one = new Replica("one");
        one.leads();
        var other = new Replica("other");
        Until.holds(() -> other.leadership.leader().equals("one"));

        one.leadership.resign();
        other.leads();

        assertThat(one.leadership.standing()).isEqualTo(Standing.ENDED);
        assertThat(one.lost).isNotDone();
        assertThat(holder()).isEqualTo("other");
    }

    @Test
    void a_leader_that_dies_is_followed_when_its_lease_has_run_out_and_not_before() throws Exception {
        var one = new Replica("one", SOON_FREE);
        one.leads();
        var other = new Replica("other", SOON_FREE);
        Until.holds(() -> other.leadership.leader().equals("one"));
        Instant renewed = Instant.parse(renewed());

        one.leadership.end();
        other.leads();

        assertThat(Duration.between(
                        renewed, Instant.parse(Json.text(spec(), "acquireTime").orElseThrow())))
                .isGreaterThanOrEqualTo(SOON_FREE.lease());
        assertThat(transitions()).isEqualTo(1);
    }

    @Test
    void a_server_that_is_away_for_less_than_the_renewal_ends_nothing() throws Exception {
        var one = new Replica("one");
        one.leads();

        server.outage(FakeApiServer.html(503));
        pass(RETRY.multipliedBy(10));
        server.lift();
        String before = renewed();
        Until.holds(() -> !renewed().equals(before));

        assertThat(one.leadership.standing()).isEqualTo(Standing.LEADING);
        assertThat(one.lost).isNotDone();
    }

    @Test
    void a_server_that_is_away_for_longer_ends_the_lead_before_others_begin() throws Exception {
        var one = new Replica("one", new Times(SOON_OVER.lease(), Duration.ofSeconds(8), RETRY));
        one.leads();

        server.outage(FakeApiServer.html(503));
        String why = one.lost.get(LONG, TimeUnit.SECONDS);

        assertThat(why).contains("could not be renewed for 8000 ms", "FL-KUBE-001");
        assertThat(one.leadership.standing()).isEqualTo(Standing.LOST);
    }

    @Test
    void a_server_that_swallows_calls_cannot_hide_that_the_time_is_up() throws Exception {
        var one = new Replica("one", SOON_OVER);
        one.leads();

        server.outage(new MockResponse.Builder()
                .onResponseStart(SocketEffect.Stall.INSTANCE)
                .build());
        String why = one.lost.get(LONG, TimeUnit.SECONDS);

        assertThat(why).contains("could not be renewed");
    }

    @Test
    void a_leader_whose_lease_another_takes_ends_at_its_next_look() throws Exception {
        var one = new Replica("one");
        one.leads();

        JsonObject stolen = server.object(PATH).deepCopy();
        Json.child(stolen, "spec").addProperty("holderIdentity", "thief");
        server.put(PATH, stolen);

        assertThat(one.lost.get(LONG, TimeUnit.SECONDS)).isEqualTo("thief holds the Lease storage/csi");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void no_lead_outlasts_its_time_however_few_threads_can_be_had(int threads) {
        var one = new Replica("one", SOON_OVER, InstantSource.system(), upTo(threads));
        Until.holds(() -> one.leadership.standing() == Standing.LEADING || one.result.isDone());

        server.outage(FakeApiServer.html(503));

        Until.holds(() -> one.lost.isDone() || one.refused());
        assertThat(one.leadership.standing()).isNotEqualTo(Standing.LEADING);
    }

    @Test
    void an_error_of_the_program_ends_neither_the_standing_by_nor_the_renewals() throws Exception {
        var broken = new AtomicBoolean(true);
        var one = new Replica(
                "one",
                LASTING,
                () -> {
                    if (broken.getAndSet(false)) {
                        throw new LinkageError("a class is missing");
                    }
                    return Instant.now();
                },
                DAEMONS);
        one.leads();

        broken.set(true);
        Until.holds(() -> !broken.get());
        String before = renewed();
        Until.holds(() -> !renewed().equals(before));

        assertThat(one.leadership.standing()).isEqualTo(Standing.LEADING);
        assertThat(one.lost).isNotDone();
    }

    @Test
    void a_role_that_forbids_it_is_said_and_asked_again() throws Exception {
        server.outage(FakeApiServer.status(403, "Forbidden", "leases is forbidden"));
        var one = new Replica("one");
        Until.holds(() -> server.seen().size() > 2);

        server.lift();

        one.leads();
    }

    @Test
    void who_stands_by_can_be_ended() throws Exception {
        var one = new Replica("one");
        one.leads();
        var other = new Replica("other");
        Until.holds(() -> other.leadership.leader().equals("one"));

        other.leadership.resign();

        assertThat(other.result.get(LONG, TimeUnit.SECONDS)).isFalse();
        assertThat(holder()).isEqualTo("one");
    }

    @Test
    void what_others_keep_in_the_lease_stays_there() throws Exception {
        server.put(PATH, Json.object("""
                {"kind":"Lease","metadata":{"name":"csi","labels":{"a":"b"}},"spec":{"strategy":"x"}}
                """).orElseThrow());

        new Replica("one").leads();

        assertThat(Json.texts(Json.child(Json.child(server.object(PATH), "metadata"), "labels")))
                .containsEntry("a", "b");
        assertThat(Json.text(spec(), "strategy")).contains("x");
    }

    private JsonObject spec() {
        return Json.child(server.object(PATH), "spec");
    }

    private String holder() {
        return Json.text(spec(), "holderIdentity").orElse("");
    }

    private long transitions() {
        return Json.number(spec(), "leaseTransitions").orElse(-1L);
    }

    private String renewed() {
        return Json.text(spec(), "renewTime").orElse("");
    }

    /** Makes as many threads as given; then the system has no more. */
    private static ThreadFactory upTo(int most) {
        var made = new AtomicInteger();
        return task -> {
            if (made.incrementAndGet() > most) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return DAEMONS.newThread(task);
        };
    }

    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        Until.holds(() -> System.nanoTime() > end);
    }

    /** One process that contends. */
    private final class Replica {
        private final LeaseLeadership leadership;
        private final CompletableFuture<String> lost = new CompletableFuture<>();
        private final Future<Boolean> result;

        Replica(String name) {
            this(name, LASTING);
        }

        Replica(String name, Times times) {
            this(name, times, InstantSource.system(), DAEMONS);
        }

        Replica(String name, Times times, InstantSource wall, ThreadFactory threads) {
            var monotonic = new MonotonicClock();
            var client = new ApiClient(server.settings(), new Backoff(Duration.ofMillis(20), Duration.ofMillis(50)));
            var candidate = new Candidate(new ApiLeases(client, "storage", "csi"), name, times, wall, monotonic);
            leadership = new LeaseLeadership(candidate, name, times, monotonic, threads);
            var task = new FutureTask<>(() -> leadership.lead(lost::complete));
            Thread.ofPlatform().daemon().start(task);
            result = task;
            replicas.add(this);
        }

        void leads() throws InterruptedException, ExecutionException, TimeoutException {
            assertThat(result.get(LONG, TimeUnit.SECONDS)).isTrue();
        }

        /** Returns whether the election ended with an error, which ends the process. */
        boolean refused() {
            return result.state() == Future.State.FAILED;
        }
    }
}
