package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.NodeAffinity;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class VolumeChangerTest {
    private static final String PV = SimulatedVolumes.KIND + "pvc-1";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final SimulatedApi api = new SimulatedApi();

    VolumeChangerTest() {
        SimulatedVolumes.add(api, 1);
    }

    @Test
    void where_the_server_allows_it_the_object_stays() {
        api.allowMutableAffinity();
        String uid = SimulatedVolumes.volume(api, 1).uid();

        assertThat(change("b", "c").result()).isEqualTo(Result.IN_PLACE);

        assertThat(SimulatedVolumes.volume(api, 1).uid()).isEqualTo(uid);
        assertThat(SimulatedVolumes.volume(api, 1).affinity()).isEqualTo(SimulatedVolumes.on("b", "c"));
        assertThat(api.lostClaims()).isEmpty();
    }

    @Test
    void where_none_is_set_it_is_set_in_the_object() {
        edit(PV, volume -> {
            volume.getAsJsonObject("spec").remove("nodeAffinity");
            return volume;
        });
        String uid = SimulatedVolumes.volume(api, 1).uid();

        assertThat(change("b").result()).isEqualTo(Result.IN_PLACE);

        assertThat(SimulatedVolumes.volume(api, 1).uid()).isEqualTo(uid);
        assertThat(SimulatedVolumes.volume(api, 1).affinity()).isEqualTo(SimulatedVolumes.on("b"));
    }

    @Test
    void a_replacement_may_take_the_affinity_away() {
        VolumeObject before = SimulatedVolumes.volume(api, 1);
        AffinityChange change = new AffinityChange(
                before.name(), before.uid(), before.affinity(), NodeAffinity.UNSET, "test", "why", Optional.empty());

        assertThat(writer().change(change, _ -> true).result()).isEqualTo(Result.REPLACED);

        assertThat(SimulatedVolumes.volume(api, 1).affinity()).isEqualTo(NodeAffinity.UNSET);
        assertThat(SimulatedVolumes.volume(api, 1).uid()).isNotEqualTo(before.uid());
    }

    @Test
    void what_was_edited_replaced_or_deleted_after_the_plan_is_left_alone() {
        AffinityChange planned = SimulatedVolumes.change(api, 1, "b");
        edit(PV, volume -> {
            volume.getAsJsonObject("spec").add("nodeAffinity", AffinityJson.write(SimulatedVolumes.on("z")));
            return volume;
        });
        assertAbandoned(planned);

        AffinityChange again = SimulatedVolumes.change(api, 1, "b");
        edit(PV, volume -> {
            volume.getAsJsonObject("metadata").addProperty("uid", "another");
            return volume;
        });
        assertAbandoned(again);

        AffinityChange third = SimulatedVolumes.change(api, 1, "b");
        api.deleteByHand(PV);
        assertAbandoned(third);
        assertThat(SimulatedVolumes.volume(api, 1).finalizers()).hasSize(2);
    }

    @Test
    void a_use_that_forbids_it_and_a_missing_claim_leave_no_trace() {
        JsonObject before = SimulatedVolumes.volume(api, 1).raw();
        AffinityChange planned = SimulatedVolumes.change(api, 1, "b");

        assertThat(writer().change(planned, _ -> false).result()).isEqualTo(Result.ABANDONED);

        JsonObject after = SimulatedVolumes.volume(api, 1).raw();
        before.getAsJsonObject("metadata").remove("resourceVersion");
        after.getAsJsonObject("metadata").remove("resourceVersion");
        assertThat(after).isEqualTo(before);
        assertThat(api.paths(SimulatedVolumes.INTENTS)).isEmpty();

        edit(PV, volume -> {
            volume.getAsJsonObject("spec").addProperty("persistentVolumeReclaimPolicy", "Retain");
            return volume;
        });
        api.remove(SimulatedVolumes.CLAIMS + "claim-1");
        assertThat(writer().change(SimulatedVolumes.change(api, 1, "b"), _ -> true)
                        .result())
                .isEqualTo(Result.ABANDONED);
        assertThat(api.paths(SimulatedVolumes.INTENTS)).isEmpty();
    }

    @Test
    void an_intent_that_is_damaged_or_too_new_does_nothing() {
        for (Map.Entry<String, String> damage : Map.of(
                        "original", "{\"kind\": \"PersistentVolume\"}",
                        "format", "2",
                        "uid", "another",
                        "affinity", "{",
                        "stage", "LATER")
                .entrySet()) {
            SimulatedApi fresh = new SimulatedApi();
            SimulatedVolumes.add(fresh, 1);
            JsonObject before = SimulatedVolumes.volume(fresh, 1).raw();
            JsonObject map = intent(fresh).configMap("storage");
            map.getAsJsonObject("data").addProperty(damage.getKey(), damage.getValue());
            fresh.add(SimulatedVolumes.INTENTS + ReplacementIntent.mapName("pvc-1"), map.toString());

            List<ChangeOutcome> outcomes = writer(fresh).resume(() -> true);

            assertThat(outcomes)
                    .as(damage.getKey())
                    .extracting(ChangeOutcome::result)
                    .containsExactly(Result.BLOCKED);
            assertThat(SimulatedVolumes.volume(fresh, 1).raw()).isEqualTo(before);
            assertThat(fresh.paths(SimulatedVolumes.INTENTS)).hasSize(1);
        }
    }

    @Test
    void a_volume_of_the_same_name_and_another_uid_is_left_alone() {
        JsonObject map = intent(api).deleting("1").configMap("storage");
        api.add(SimulatedVolumes.INTENTS + ReplacementIntent.mapName("pvc-1"), map.toString());
        edit(PV, volume -> {
            volume.getAsJsonObject("metadata").addProperty("uid", "another");
            volume.getAsJsonObject("spec").getAsJsonObject("csi").addProperty("volumeHandle", "other");
            return volume;
        });
        JsonObject before = SimulatedVolumes.volume(api, 1).raw();

        assertThat(writer().resume(() -> true))
                .extracting(ChangeOutcome::result)
                .containsExactly(Result.BLOCKED);

        assertThat(SimulatedVolumes.volume(api, 1).raw()).isEqualTo(before);
        assertThat(api.paths(SimulatedVolumes.INTENTS)).hasSize(1);
    }

    @Test
    void somebody_who_deletes_the_volume_before_us_gets_his_way() {
        JsonObject map = intent(api).configMap("storage");
        api.add(SimulatedVolumes.INTENTS + ReplacementIntent.mapName("pvc-1"), map.toString());
        api.deleteByHand(PV);

        assertThat(writer().resume(() -> true))
                .extracting(ChangeOutcome::result)
                .containsExactly(Result.ABANDONED);
        assertThat(SimulatedVolumes.volume(api, 1).isBeingDeleted()).isTrue();

        api.add(SimulatedVolumes.INTENTS + ReplacementIntent.mapName("pvc-1"), map.toString());
        api.remove(PV);
        api.remove(SimulatedVolumes.CLAIMS + "claim-1");
        writer().resume(() -> true);
        assertThat(api.get(PV)).isEmpty();
        assertThat(api.paths(SimulatedVolumes.INTENTS)).isEmpty();
    }

    @Test
    void a_claim_that_is_not_bound_yet_is_waited_for_later() {
        AffinityChange planned = SimulatedVolumes.change(api, 1, "b");
        api.holdControllers(true);

        assertThat(writer().change(planned, _ -> true).result()).isEqualTo(Result.UNFINISHED);
        assertThat(SimulatedVolumes.volume(api, 1).policy()).isEqualTo("Retain");

        api.holdControllers(false);
        assertThat(writer().resume(() -> true))
                .extracting(ChangeOutcome::result)
                .containsExactly(Result.REPLACED);
        assertThat(SimulatedVolumes.volume(api, 1).policy()).isEqualTo("Delete");
    }

    @Test
    void a_volume_too_long_for_an_intent_is_left_alone() {
        edit(PV, volume -> {
            volume.getAsJsonObject("metadata")
                    .getAsJsonObject("annotations")
                    .addProperty("example.com/long", "x".repeat(100_000));
            return volume;
        });
        String uid = SimulatedVolumes.volume(api, 1).uid();

        assertThat(change("b").result()).isEqualTo(Result.BLOCKED);

        assertThat(SimulatedVolumes.volume(api, 1).uid()).isEqualTo(uid);
    }

    private void assertAbandoned(AffinityChange planned) {
        JsonObject before = SimulatedVolumes.volume(api, 1).raw();
        assertThat(writer().change(planned, _ -> true).result()).isEqualTo(Result.ABANDONED);
        assertThat(SimulatedVolumes.volume(api, 1).raw()).isEqualTo(before);
        assertThat(api.paths(SimulatedVolumes.INTENTS)).isEmpty();
    }

    private static ReplacementIntent intent(SimulatedApi api) {
        return ReplacementIntent.of(SimulatedVolumes.volume(api, 1), SimulatedVolumes.on("b"));
    }

    private ChangeOutcome change(String... hosts) {
        return writer().change(SimulatedVolumes.change(api, 1, hosts), _ -> true);
    }

    private void edit(String path, UnaryOperator<JsonObject> editing) {
        api.put(path, editing.apply(api.get(path).orElseThrow()));
    }

    private VolumeChanger writer() {
        return writer(api);
    }

    private static VolumeChanger writer(SimulatedApi api) {
        return new VolumeChanger(
                api,
                "storage",
                "org.example.csi"::equals,
                PATIENCE,
                PATIENCE,
                new Backoff(Duration.ofMillis(1), Duration.ofMillis(5)),
                ReplacementListener.NONE);
    }
}
