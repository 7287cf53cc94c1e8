package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiRequest.Verb;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** How long a volume is away, whose claim is seen Lost, and how long one volume may hold up the others. */
class AbsenceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SimulatedApi api = new SimulatedApi();
    private final List<String> told = new ArrayList<>();
    private Duration longest = Duration.ZERO;

    AbsenceTest() {
        SimulatedVolumes.add(api, 1);
    }

    @Test
    void the_time_without_a_volume_is_told_also_if_its_creation_fails_at_first() {
        AtomicBoolean failed = new AtomicBoolean();
        ApiCalls slow = (request, patience) -> {
            if (request.what().startsWith("creating the") && !failed.getAndSet(true)) {
                sleep(100);
                throw new StorageException(new Failure.ClusterUnavailable("creating", "no answer"));
            }
            return api.ask(request, patience);
        };

        assertThat(writer(slow)
                        .change(SimulatedVolumes.change(api, 1, "b"), _ -> true)
                        .result())
                .isEqualTo(Result.REPLACED);

        assertThat(told).containsExactly("away pvc-1");
        assertThat(longest).isBetween(Duration.ofMillis(100), PATIENCE);
    }

    @Test
    void a_claim_that_stays_lost_is_told_once() {
        AtomicBoolean away = new AtomicBoolean();
        ApiCalls watched = (request, patience) -> {
            if (request.what().startsWith("creating the") && !away.getAndSet(true)) {
                api.holdControllers(true);
            }
            return api.ask(request, patience);
        };
        VolumeChanger writer = writer(watched);

        assertThat(writer.change(SimulatedVolumes.change(api, 1, "b"), _ -> true)
                        .result())
                .isEqualTo(Result.UNFINISHED);
        writer.resume(() -> true);
        api.holdControllers(false);
        writer.resume(() -> true);

        assertThat(told).containsExactly("away pvc-1", "lost pvc-1");
    }

    @Test
    void a_server_that_is_silent_about_one_volume_holds_up_the_others_for_that_volume_s_time() {
        ApiCalls silent = (request, patience) -> {
            if (request.verb() == Verb.STEPS || request.verb() == Verb.POST) {
                sleep(patience.toMillis());
                throw new StorageException(new Failure.ClusterUnavailable("asking", "no answer in time"));
            }
            return api.ask(request, patience);
        };
        long begun = System.nanoTime();

        ChangeOutcome outcome =
                writer(silent, Duration.ofMillis(400)).change(SimulatedVolumes.change(api, 1, "b"), _ -> true);

        assertThat(outcome.result()).isEqualTo(Result.UNFINISHED);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENCE.dividedBy(2));
    }

    private static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private VolumeChanger writer(ApiCalls calls) {
        return writer(calls, Duration.ofSeconds(20));
    }

    private VolumeChanger writer(ApiCalls calls, Duration perVolume) {
        return new VolumeChanger(
                calls,
                "storage",
                "org.example.csi"::equals,
                PATIENCE,
                perVolume,
                new Backoff(Duration.ofMillis(1), Duration.ofMillis(5)),
                new ReplacementListener() {
                    @Override
                    public void away(String volume, Duration time) {
                        told.add("away " + volume);
                        longest = time;
                    }

                    @Override
                    public void claimLost(String volume) {
                        told.add("lost " + volume);
                    }
                });
    }
}
