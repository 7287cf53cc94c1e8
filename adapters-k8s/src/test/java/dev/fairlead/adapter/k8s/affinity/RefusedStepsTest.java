package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.api.ApiRequest.Verb;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.port.work.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server costs that refuses a step, by a webhook (403, 400) or a policy (422): few calls and little time. */
class RefusedStepsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final SimulatedApi api = new SimulatedApi();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile Predicate<ApiRequest> refused = _ -> false;
    private volatile int status = 403;

    RefusedStepsTest() {
        SimulatedVolumes.add(api, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 400, 422})
    void a_policy_that_refuses_all_edits_is_told_at_once_and_leaves_no_intent_behind(int code) {
        status = code;
        refused = request -> isOfVolume(request) && request.verb() == Verb.STEPS;
        long begun = System.nanoTime();

        ChangeOutcome outcome = writer().change(SimulatedVolumes.change(api, 1, "b"), _ -> true);

        assertThat(outcome.result()).as(outcome.text()).isEqualTo(Result.BLOCKED);
        assertThat(outcome.text()).contains("FL-KUBE-002", code + " denied by policy");
        assertThat(calls.get()).isLessThan(25);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENCE.dividedBy(2));
        if (code != 422) {
            assertThat(api.paths(SimulatedVolumes.INTENTS)).isEmpty();
        }
    }

    @Test
    void a_trial_that_meets_a_conflict_does_not_lead_to_a_replacement() {
        api.allowMutableAffinity();
        status = 409;
        refused = request -> request.what().startsWith("trying to change");
        String uid = SimulatedVolumes.volume(api, 1).uid();

        ChangeOutcome outcome = writer().change(SimulatedVolumes.change(api, 1, "b"), _ -> true);

        assertThat(outcome.result()).as(outcome.text()).isEqualTo(Result.UNFINISHED);
        assertThat(SimulatedVolumes.volume(api, 1).uid()).isEqualTo(uid);
    }

    @Test
    void a_replacement_that_is_refused_in_the_middle_is_tried_less_and_less_often() {
        refused = request -> request.what().startsWith("creating the");
        VolumeChanger writer = writer();
        assertThat(writer.change(SimulatedVolumes.change(api, 1, "b"), _ -> true)
                        .result())
                .isEqualTo(Result.UNFINISHED);
        writer.resume(() -> true);
        calls.set(0);
        long begun = System.nanoTime();

        for (int round = 0; round < 50; round++) {
            assertThat(writer.resume(() -> true))
                    .extracting(ChangeOutcome::result)
                    .containsExactly(Result.UNFINISHED);
        }

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENCE.dividedBy(2));
        assertThat(calls.get()).isLessThan(50 + 20);
        refused = _ -> false;
        assertThat(ends(writer)).isEqualTo(Result.REPLACED);
        assertThat(SimulatedVolumes.volume(api, 1).affinity()).isEqualTo(SimulatedVolumes.on("b"));
    }

    @Test
    void a_claim_that_is_not_bound_again_is_not_waited_for_in_each_round() {
        VolumeChanger writer = writer();
        refused = request -> {
            if (request.what().startsWith("creating the")) api.holdControllers(true);
            return false;
        };
        assertThat(writer.change(SimulatedVolumes.change(api, 1, "b"), _ -> true)
                        .result())
                .isEqualTo(Result.UNFINISHED);
        writer.resume(() -> true);
        long begun = System.nanoTime();

        for (int round = 0; round < 10; round++) {
            writer.resume(() -> true);
        }

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENCE.dividedBy(2));
        api.holdControllers(false);
        assertThat(writer.resume(() -> true)).extracting(ChangeOutcome::result).containsExactly(Result.REPLACED);
    }

    private static Result ends(VolumeChanger writer) {
        long begun = System.nanoTime();
        Result last = Result.UNFINISHED;
        while (last == Result.UNFINISHED && System.nanoTime() - begun < PATIENCE.toNanos()) {
            List<ChangeOutcome> outcomes = writer.resume(() -> true);
            last = outcomes.getFirst().result();
        }
        return last;
    }

    private static boolean isOfVolume(ApiRequest request) {
        return request.path().contains("persistentvolumes");
    }

    private VolumeChanger writer() {
        ApiCalls policy = (request, patience) -> {
            calls.incrementAndGet();
            return refused.test(request)
                    ? new ApiAnswer.Refused(status, reason(), "denied by policy")
                    : api.ask(request, patience);
        };
        return new VolumeChanger(
                policy,
                "storage",
                "org.example.csi"::equals,
                PATIENCE,
                PATIENCE,
                new Backoff(Duration.ofMillis(1), Duration.ofMillis(50)),
                ReplacementListener.NONE);
    }

    private String reason() {
        return switch (status) {
            case 409 -> "Conflict";
            case 422 -> "Invalid";
            default -> "Forbidden";
        };
    }
}
