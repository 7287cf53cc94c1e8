package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.port.work.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes a volume, or refuses a call, at the worst moment of its replacement. */
class ReplacementRaceTest {
    private static final String PV = SimulatedVolumes.KIND + "pvc-1";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String DELETION = "DELETE replacing the PersistentVolume pvc-1";

    private final SimulatedApi api = new SimulatedApi();

    ReplacementRaceTest() {
        SimulatedVolumes.add(api, 1);
    }

    /** Lists what others may do to a volume while it is being replaced. */
    enum Edit {
        RESIZE,
        LABEL,
        FINALIZER,
        OWNER,
        CLAIM;

        void on(SimulatedApi api) {
            JsonObject volume = api.get(PV).orElseThrow();
            JsonObject metadata = volume.getAsJsonObject("metadata");
            JsonObject spec = volume.getAsJsonObject("spec");
            switch (this) {
                case RESIZE -> spec.getAsJsonObject("capacity").addProperty("storage", "2Gi");
                case LABEL -> metadata.getAsJsonObject("labels").addProperty("backup", "daily");
                case FINALIZER -> metadata.getAsJsonArray("finalizers").add("snapshots.example.com/source");
                case OWNER -> metadata.add("ownerReferences", new JsonArray());
                case CLAIM -> spec.getAsJsonObject("claimRef").addProperty("resourceVersion", "77");
            }
            api.put(PV, volume);
        }
    }

    @ParameterizedTest
    @EnumSource(Edit.class)
    void what_is_edited_after_a_kill_before_the_deletion_is_kept(Edit edit) {
        killedBefore(DELETION);
        edit.on(api);
        assertKept();
    }

    @ParameterizedTest
    @EnumSource(Edit.class)
    void what_is_edited_just_before_the_deletion_is_kept(Edit edit) {
        AtomicBoolean edited = new AtomicBoolean();
        ApiCalls slow = before(DELETION, () -> {
            if (!edited.getAndSet(true)) {
                edit.on(api);
            }
        });
        String uid = SimulatedVolumes.volume(api, 1).uid();

        ChangeOutcome outcome = writer(slow).change(SimulatedVolumes.change(api, 1, "b"), _ -> true);

        assertThat(edited).isTrue();
        assertThat(outcome.result()).as(outcome.text()).isEqualTo(Result.ABANDONED);
        assertThat(SimulatedVolumes.volume(api, 1).uid()).isEqualTo(uid);
        assertUnmarked();
    }

    @Test
    void what_is_attached_or_paused_after_the_step_was_noted_is_not_deleted() {
        String uid = SimulatedVolumes.volume(api, 1).uid();
        AtomicBoolean attached = new AtomicBoolean();
        ApiCalls noticed = before("STEPS noting a step", () -> attached.set(true));

        ChangeOutcome outcome = writer(noticed).change(SimulatedVolumes.change(api, 1, "b"), _ -> !attached.get());

        assertThat(outcome.result()).as(outcome.text()).isEqualTo(Result.ABANDONED);
        assertThat(SimulatedVolumes.volume(api, 1).uid()).isEqualTo(uid);
        assertUnmarked();
    }

    @Test
    void a_deletion_that_is_late_finds_another_version_once_it_was_given_up() {
        String uid = SimulatedVolumes.volume(api, 1).uid();
        List<ApiRequest> late = new ArrayList<>();
        ApiCalls lost = (request, patience) -> {
            if (text(request).startsWith(DELETION)) {
                late.add(request);
                throw new CutApi.Killed();
            }
            return api.ask(request, patience);
        };
        run(lost);
        resume(writer(api));
        late.forEach(request -> api.ask(request, PATIENCE));

        assertThat(late).hasSize(1);
        assertThat(SimulatedVolumes.volume(api, 1).uid()).isEqualTo(uid);
        assertUnmarked();
    }

    @Test
    void a_harmless_write_of_a_controller_does_not_stop_it() {
        AtomicInteger writes = new AtomicInteger();
        ApiCalls busy = before(DELETION, () -> {
            if (writes.getAndIncrement() == 0) {
                JsonObject volume = api.get(PV).orElseThrow();
                volume.getAsJsonObject("metadata").getAsJsonArray("finalizers").remove(1);
                api.put(PV, volume);
            }
        });

        ChangeOutcome outcome = writer(busy).change(SimulatedVolumes.change(api, 1, "b"), _ -> true);

        assertThat(outcome.result()).as(outcome.text()).isEqualTo(Result.REPLACED);
        assertThat(SimulatedVolumes.volume(api, 1).finalizers()).hasSize(2);
    }

    @Test
    void a_volume_that_is_not_bound_is_left_as_it_is() {
        JsonObject volume = api.get(PV).orElseThrow();
        volume.getAsJsonObject("spec").remove("claimRef");
        volume.getAsJsonObject("status").addProperty("phase", "Available");
        api.put(PV, volume);
        JsonObject before = SimulatedVolumes.volume(api, 1).raw();

        assertThat(writer(api)
                        .change(SimulatedVolumes.change(api, 1, "b"), _ -> true)
                        .result())
                .isEqualTo(Result.ABANDONED);

        assertThat(SimulatedVolumes.volume(api, 1).raw()).isEqualTo(before);
        assertThat(api.paths(SimulatedVolumes.INTENTS)).isEmpty();
    }

    @Test
    void a_volume_whose_claim_or_size_changed_once_it_is_being_deleted_keeps_its_finalizers() {
        for (Edit edit : List.of(Edit.CLAIM, Edit.RESIZE, Edit.LABEL)) {
            SimulatedApi fresh = new SimulatedApi();
            SimulatedVolumes.add(fresh, 1);
            AtomicBoolean deleted = new AtomicBoolean();
            ApiCalls cut = (request, patience) -> {
                if (deleted.get()) {
                    throw new CutApi.Killed();
                }
                ApiAnswer answer = fresh.ask(request, patience);
                deleted.set(text(request).startsWith(DELETION));
                return answer;
            };
            try {
                writer(cut).change(SimulatedVolumes.change(fresh, 1, "b"), _ -> true);
            } catch (CutApi.Killed _) {
                assertThat(SimulatedVolumes.volume(fresh, 1).isBeingDeleted()).isTrue();
            }
            edit.on(fresh);

            assertThat(resume(writer(fresh)))
                    .as(edit.name())
                    .extracting(ChangeOutcome::result)
                    .containsExactly(Result.BLOCKED);
            assertThat(SimulatedVolumes.volume(fresh, 1).policy()).isEqualTo("Retain");
            assertThat(SimulatedVolumes.volume(fresh, 1).finalizers()).isNotEmpty();
        }
    }

    @Test
    void what_was_only_prepared_is_withdrawn_by_whoever_comes_next() {
        String uid = SimulatedVolumes.volume(api, 1).uid();
        for (String call : List.of("STEPS changing the PersistentVolume pvc-1", "STEPS noting a step", DELETION)) {
            killedBefore(call);
            assertThat(api.paths(SimulatedVolumes.INTENTS)).as(call).hasSize(1);

            assertThat(resume(writer(api)))
                    .as(call)
                    .extracting(ChangeOutcome::result)
                    .containsExactly(Result.ABANDONED);

            assertThat(SimulatedVolumes.volume(api, 1).uid()).isEqualTo(uid);
            assertUnmarked();
        }
    }

    @Test
    void a_server_that_refuses_every_deletion_costs_few_calls_and_the_volume_keeps_its_policy() {
        assertRefused(request -> text(request).startsWith("DELETE") && isOfVolume(request), 20);
    }

    @Test
    void a_server_that_refuses_deletions_but_not_their_trial_costs_few_calls_too() {
        assertRefused(request -> text(request).startsWith(DELETION), 80);
    }

    @Test
    void a_server_that_refuses_the_mark_costs_few_calls_and_a_person_has_to_look() {
        assertRefused(
                request -> request.verb() == ApiRequest.Verb.STEPS
                        && isOfVolume(request)
                        && !request.query().containsKey("dryRun"),
                80);
    }

    private void assertRefused(Predicate<ApiRequest> refused, int most) {
        String uid = SimulatedVolumes.volume(api, 1).uid();
        AtomicInteger calls = new AtomicInteger();
        ApiCalls policy = (request, patience) -> {
            calls.incrementAndGet();
            return refused.test(request)
                    ? new ApiAnswer.Refused(422, "Invalid", "denied by policy no-change")
                    : api.ask(request, patience);
        };

        ChangeOutcome outcome = writer(policy).change(SimulatedVolumes.change(api, 1, "b"), _ -> true);

        assertThat(outcome.result()).as(outcome.text()).isEqualTo(Result.BLOCKED);
        assertThat(outcome.text()).contains("denied by policy no-change");
        assertThat(calls.get()).isLessThan(most);
        VolumeObject volume = SimulatedVolumes.volume(api, 1);
        assertThat(volume.uid()).isEqualTo(uid);
        assertThat(volume.policy()).isEqualTo("Delete");
        assertThat(volume.annotations()).doesNotContainKey(ReplacementMark.INTENT);
    }

    private void assertKept() {
        VolumeObject before = SimulatedVolumes.volume(api, 1);
        JsonObject kept = SimulatedVolumes.kept(before.raw());

        assertThat(resume(writer(api))).extracting(ChangeOutcome::result).containsExactly(Result.ABANDONED);

        VolumeObject after = SimulatedVolumes.volume(api, 1);
        assertThat(after.uid()).isEqualTo(before.uid());
        assertUnmarked();
        for (String part : List.of("labels", "ownerReferences", "finalizers")) {
            assertThat(SimulatedVolumes.kept(after.raw())
                            .getAsJsonObject("metadata")
                            .get(part))
                    .isEqualTo(kept.getAsJsonObject("metadata").get(part));
        }
        for (String part : List.of("capacity", "claimRef")) {
            assertThat(after.raw().getAsJsonObject("spec").get(part))
                    .isEqualTo(before.raw().getAsJsonObject("spec").get(part));
        }
    }

    private void assertUnmarked() {
        VolumeObject after = SimulatedVolumes.volume(api, 1);
        assertThat(after.policy()).isEqualTo("Delete");
        assertThat(after.isBeingDeleted()).isFalse();
        assertThat(after.annotations()).containsOnlyKeys("pv.kubernetes.io/provisioned-by", "example.com/odd~key");
        assertThat(api.paths(SimulatedVolumes.INTENTS)).isEmpty();
    }

    private void killedBefore(String call) {
        run((request, patience) -> {
            if (text(request).startsWith(call)) {
                throw new CutApi.Killed();
            }
            return api.ask(request, patience);
        });
    }

    private void run(ApiCalls calls) {
        boolean killed = false;
        try {
            writer(calls).change(SimulatedVolumes.change(api, 1, "b"), _ -> true);
        } catch (CutApi.Killed _) {
            killed = true;
        }
        assertThat(killed).isTrue();
    }

    private ApiCalls before(String call, Runnable edit) {
        return (request, patience) -> {
            if (text(request).startsWith(call)) {
                edit.run();
            }
            return api.ask(request, patience);
        };
    }

    private static boolean isOfVolume(ApiRequest request) {
        return request.path().contains("persistentvolumes");
    }

    private static String text(ApiRequest request) {
        return request.verb() + " " + request.what();
    }

    private static List<ChangeOutcome> resume(VolumeChanger writer) {
        return writer.resume(() -> true);
    }

    private static VolumeChanger writer(ApiCalls api) {
        return new VolumeChanger(
                api,
                "storage",
                "org.example.csi"::equals,
                PATIENCE,
                PATIENCE,
                new Backoff(Duration.ofMillis(1), Duration.ofMillis(2)),
                ReplacementListener.NONE);
    }
}
