package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.affinity.HalfReplaced.State;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.OtherController;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is done, and what is not, with what LINSTOR's affinity controller has kept of a volume. */
class SavedVolumeTest {
    private static final String PATH = SimulatedVolumes.KIND + "pvc-1";
    private static final String SKIP = "org.example.csi/skip-reclaim";

    private final SimulatedApi api = new SimulatedApi();
    private final StagedSaved saved = new StagedSaved(api);

    @BeforeEach
    void add() {
        SimulatedVolumes.add(api, 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rubbish",
                "[]",
                "{}",
                "{\"metadata\": {\"name\": \"pvc-1\"}}",
                "{\"metadata\": {\"name\": \"../secrets\"}, \"spec\": {\"csi\": {\"driver\": \"org.example.csi\","
                        + " \"volumeHandle\": \"vol-1\"}, \"accessModes\": [\"a\"], \"capacity\": {\"storage\": \"1\"}}}"
            })
    void rubbish_changes_nothing_and_is_told_with_its_code(String rubbish) {
        saved.keep(1, rubbish);
        assertKept("FL-AFF-012");

        HalfReplaced.put(api, 1, State.GONE);
        assertKept("FL-AFF-012");
    }

    @Test
    void a_record_with_a_policy_that_is_none_is_rubbish() {
        saved.keep(
                1,
                changed(record ->
                        record.getAsJsonObject("spec").addProperty("persistentVolumeReclaimPolicy", "Shred")));
        assertKept("FL-AFF-012");
    }

    @Test
    void a_record_of_another_handle_driver_or_claim_changes_nothing() {
        saved.keep(1, changed(record -> csi(record).addProperty("volumeHandle", "vol-2")));
        assertKept("FL-AFF-013");
        saved.keep(1, changed(record -> csi(record).addProperty("driver", "org.example.other")));
        assertKept("FL-AFF-013");
        saved.keep(1, changed(record -> claim(record).addProperty("uid", "another")));
        assertKept("FL-AFF-013");
        saved.keep(1, changed(record -> record.getAsJsonObject("spec").remove("claimRef")));
        assertKept("FL-AFF-013");
    }

    @Test
    void a_volume_that_is_there_under_another_name_is_not_made_again() {
        saved.keep(1, changed(record -> record.getAsJsonObject("metadata").addProperty("name", "pvc-old")));
        assertKept("FL-AFF-013");
    }

    @Test
    void a_marked_volume_of_another_claim_is_not_touched() {
        saved.keep(1, HalfReplaced.put(api, 1, State.TERMINATING));
        JsonObject live = api.get(PATH).orElseThrow();
        claim(live).addProperty("uid", "another");
        api.put(PATH, live);

        assertKept("FL-AFF-013");
    }

    @Test
    void a_volume_without_a_claim_is_not_made_again() {
        saved.keep(1, changed(record -> record.getAsJsonObject("spec").remove("claimRef")));
        HalfReplaced.put(api, 1, State.GONE);

        assertKept("FL-AFF-014");
    }

    @Test
    void what_somebody_deletes_is_not_made_again() {
        saved.keep(1, HalfReplaced.put(api, 1, State.INTACT));
        api.deleteByHand(PATH);
        JsonObject before = api.get(PATH).orElseThrow();

        assertThat(saved.run(api, api)).extracting(ChangeOutcome::result).containsExactly(Result.ABANDONED);

        assertThat(api.get(PATH)).contains(before);
        assertThat(saved.kept()).isEmpty();
    }

    @Test
    void a_volume_that_was_retained_without_a_mark_gets_its_policy_back() {
        saved.keep(1, HalfReplaced.put(api, 1, State.INTACT));
        JsonObject live = api.get(PATH).orElseThrow();
        HalfReplaced.retainedByOld(live);
        api.put(PATH, live);

        assertThat(saved.run(api, api)).extracting(ChangeOutcome::result).containsExactly(Result.IN_PLACE);

        assertThat(SimulatedVolumes.volume(api, 1).policy()).isEqualTo("Delete");
    }

    @Test
    void a_policy_that_an_administrator_set_stays() {
        saved.keep(1, HalfReplaced.put(api, 1, State.NEW));
        JsonObject live = api.get(PATH).orElseThrow();
        live.getAsJsonObject("spec").addProperty("persistentVolumeReclaimPolicy", "Retain");
        api.put(PATH, live);

        saved.run(api, api);

        assertThat(SimulatedVolumes.volume(api, 1).policy()).isEqualTo("Retain");
        assertThat(saved.kept()).isEmpty();
    }

    @Test
    void a_mark_that_was_kept_by_a_run_that_was_cut_goes_too() {
        HalfReplaced.put(api, 1, State.MARKED);
        JsonObject record = HalfReplaced.saved(api.get(PATH).orElseThrow());
        record.getAsJsonObject("spec").addProperty("persistentVolumeReclaimPolicy", "Delete");
        saved.keep(1, record.toString());

        saved.run(api, api);

        assertThat(SimulatedVolumes.volume(api, 1).policy()).isEqualTo("Delete");
        assertThat(SimulatedVolumes.volume(api, 1).annotations()).doesNotContainKey(SKIP);
    }

    @Test
    void a_mark_beside_the_policy_retain_stays_if_it_was_there_before() {
        SimulatedVolumes.add(api, 3);
        HalfReplaced.put(api, 3, State.MARKED);
        saved.keep(3, HalfReplaced.put(api, 3, State.GONE));

        saved.run(api, api);

        assertThat(SimulatedVolumes.volume(api, 3).annotations()).containsEntry(SKIP, "true");
        assertThat(SimulatedVolumes.volume(api, 3).policy()).isEqualTo("Retain");
    }

    @Test
    void nothing_is_written_while_the_other_controller_lives() {
        for (State state : State.values()) {
            SimulatedApi one = new SimulatedApi();
            SimulatedVolumes.add(one, 1);
            StagedSaved its = new StagedSaved(one);
            its.keep(1, HalfReplaced.put(one, 1, state));
            CutApi calls = new CutApi(one, Integer.MAX_VALUE, false);

            assertThatThrownBy(() -> its.run(one, calls, new Alive()))
                    .isInstanceOf(StorageException.class)
                    .satisfies(e ->
                            assertThat(((StorageException) e).failure().code()).isEqualTo("FL-AFF-011"));

            assertThat(calls.calls()).allMatch(call -> call.startsWith("GET "));
            assertThat(its.kept()).hasSize(1);
        }
    }

    private void assertKept(String code) {
        List<String> before = everything();
        CutApi calls = new CutApi(api, Integer.MAX_VALUE, false);

        List<ChangeOutcome> outcomes = saved.run(api, calls);

        assertThat(outcomes).hasSize(1);
        assertThat(outcomes.getFirst().result()).isEqualTo(Result.BLOCKED);
        assertThat(outcomes.getFirst().text()).startsWith(code + " ");
        assertThat(calls.calls()).allMatch(call -> call.startsWith("GET "));
        assertThat(everything()).isEqualTo(before);
        assertThat(saved.kept()).hasSize(1);
    }

    private List<String> everything() {
        List<String> all = new ArrayList<>();
        api.paths("").forEach(path -> all.add(path + " " + api.get(path)));
        return all;
    }

    private String changed(Consumer<JsonObject> change) {
        JsonObject record = HalfReplaced.saved(api.get(PATH).orElseThrow());
        change.accept(record);
        return record.toString();
    }

    private static JsonObject csi(JsonObject volume) {
        return Objects.requireNonNull(Json.child(volume, "spec").getAsJsonObject("csi"));
    }

    private static JsonObject claim(JsonObject volume) {
        return Objects.requireNonNull(Json.child(volume, "spec").getAsJsonObject("claimRef"));
    }

    /** It lives. */
    private static final class Alive implements OtherController {
        @Override
        public Optional<String> alive() {
            return Optional.of("its Lease a/b is renewed");
        }

        @Override
        public Optional<String> shown() {
            return alive();
        }

        @Override
        public void wrote(String what) {}

        @Override
        public void announce(Optional<String> sign) {}
    }
}
