package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.affinity.VolumeUse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What becomes of a volume whose intent is lost, edited, restored from a copy, or forged. */
class LostIntentTest {
    private static final String PV = SimulatedVolumes.KIND + "pvc-1";
    private static final String MAP = SimulatedVolumes.INTENTS + ReplacementIntent.mapName("pvc-1");
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final SimulatedApi api = new SimulatedApi();

    LostIntentTest() {
        SimulatedVolumes.add(api, 1);
    }

    @Test
    void an_older_copy_of_an_intent_that_is_restored_while_the_volume_is_away_is_kept() {
        JsonObject copy = intent().configMap("storage");
        api.add(MAP, copy.toString());
        api.remove(PV);

        assertThat(results(writer(api))).containsExactly(Result.BLOCKED);

        assertThat(api.paths(SimulatedVolumes.INTENTS)).hasSize(1);
    }

    @Test
    void a_stage_that_was_edited_by_hand_is_damage_and_told_of_the_volume() {
        JsonObject map = intent().configMap("storage");
        map.getAsJsonObject("data").addProperty("stage", "DELETING");
        api.add(MAP, map.toString());

        assertThat(writer(api).resume(() -> true)).singleElement().satisfies(outcome -> {
            assertThat(outcome.result()).isEqualTo(Result.BLOCKED);
            assertThat(outcome.volume()).isEqualTo("pvc-1");
            assertThat(outcome.text()).contains("damaged", ReplacementIntent.mapName("pvc-1"));
        });
    }

    @Test
    void an_intent_that_is_deleted_by_hand_stays_until_it_has_ended() {
        killedBefore("POST creating the PersistentVolume pvc-1");
        assertThat(api.get(PV)).isEmpty();
        api.deleteByHand(MAP);

        assertThat(results(writer(api))).containsExactly(Result.REPLACED);

        assertThat(SimulatedVolumes.volume(api, 1).policy()).isEqualTo("Delete");
        assertThat(api.paths(SimulatedVolumes.INTENTS)).isEmpty();
    }

    @Test
    void a_marked_volume_without_an_intent_is_told_of_in_each_round_and_has_its_policy_in_an_annotation() {
        killedBefore("DELETE replacing");
        api.remove(MAP);
        VolumeObject volume = SimulatedVolumes.volume(api, 1);
        assertThat(volume.policy()).isEqualTo("Retain");
        assertThat(volume.annotations()).containsEntry("fairlead.dev/affinity-policy", "Delete");

        for (int round = 0; round < 2; round++) {
            assertThat(writer(api).strays(List.of(known(volume))))
                    .singleElement()
                    .satisfies(outcome -> {
                        assertThat(outcome.result()).isEqualTo(Result.BLOCKED);
                        assertThat(outcome.text()).contains("fairlead.dev/affinity-policy", "(Delete)");
                    });
        }
    }

    @Test
    void a_volume_whose_intent_is_there_is_no_stray() {
        killedBefore("DELETE replacing");

        assertThat(writer(api).strays(List.of(known(SimulatedVolumes.volume(api, 1)))))
                .isEmpty();
    }

    @Test
    void a_new_volume_without_an_intent_has_its_policy_in_an_annotation_too() {
        api.holdControllers(true);
        writer(api).change(SimulatedVolumes.change(api, 1, "b"), _ -> true);

        assertThat(SimulatedVolumes.volume(api, 1).annotations())
                .containsEntry("fairlead.dev/affinity-policy", "Delete");
    }

    @Test
    void a_volume_that_is_left_retained_says_so() {
        killedBefore("DELETE replacing");
        api.remove(SimulatedVolumes.CLAIMS + "claim-1");

        assertThat(results(writer(api))).containsExactly(Result.RETAINED);

        assertThat(SimulatedVolumes.volume(api, 1).annotations())
                .containsEntry("fairlead.dev/affinity-retained", "Delete")
                .doesNotContainKey("fairlead.dev/affinity-policy");
    }

    @Test
    void a_forged_intent_makes_no_volume() {
        List<Consumer<JsonObject>> forgeries = List.of(
                spec -> {
                    spec.remove("csi");
                    JsonObject path = new JsonObject();
                    path.addProperty("path", "/");
                    spec.add("hostPath", path);
                },
                spec -> spec.getAsJsonObject("csi").addProperty("driver", "org.other.csi"),
                spec -> spec.remove("claimRef"));
        for (Consumer<JsonObject> forgery : forgeries) {
            SimulatedApi fresh = new SimulatedApi();
            SimulatedVolumes.add(fresh, 1);
            JsonObject original = fresh.get(PV).orElseThrow();
            forgery.accept(original.getAsJsonObject("spec"));
            ReplacementIntent forged = ReplacementIntent.of(new VolumeObject(original), SimulatedVolumes.on("b"))
                    .deleting("1");
            fresh.add(MAP, forged.configMap("storage").toString());
            fresh.remove(PV);

            assertThat(results(writer(fresh))).containsExactly(Result.BLOCKED);

            assertThat(fresh.get(PV)).isEmpty();
        }
    }

    private static KnownVolume known(VolumeObject volume) {
        PlacedVolume placed = new PlacedVolume(
                volume.name(),
                volume.driver(),
                volume.handle(),
                Map.of(),
                volume.annotations(),
                Optional.empty(),
                Optional.empty());
        return new KnownVolume(
                placed, volume.uid(), volume.affinity(), new VolumeUse(false, Optional.empty(), "Bound", List.of()));
    }

    private ReplacementIntent intent() {
        return ReplacementIntent.of(SimulatedVolumes.volume(api, 1), SimulatedVolumes.on("b"));
    }

    private void killedBefore(String call) {
        boolean killed = false;
        try {
            writer((request, patience) -> {
                        if ((request.verb() + " " + request.what()).startsWith(call)) {
                            throw new CutApi.Killed();
                        }
                        return api.ask(request, patience);
                    })
                    .change(SimulatedVolumes.change(api, 1, "b"), _ -> true);
        } catch (CutApi.Killed _) {
            killed = true;
        }
        assertThat(killed).isTrue();
    }

    private static List<Result> results(VolumeChanger writer) {
        return writer.resume(() -> true).stream().map(ChangeOutcome::result).toList();
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
