package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.affinity.AffinityChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cuts a run over 20 volumes before and after each of its calls; whoever comes next finishes it. */
class ReplacementCrashTest {
    private static final int VOLUMES = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void every_call_may_be_the_last(boolean afterwards) {
        int calls = run(cluster(), Integer.MAX_VALUE, afterwards).size();
        System.out.println("kill points: " + calls + (afterwards ? " after a call" : " before a call"));

        for (int at = 0; at < calls; at++) {
            SimulatedApi api = cluster();
            List<JsonObject> before = volumes(api);
            List<String> made = run(api, at, afterwards);
            assertThat(made).as("cut %d", at).hasSize(at + 1);

            run(api, Integer.MAX_VALUE, afterwards);

            assertDone(api, before, made.getLast());
        }
    }

    @Test
    void a_successor_may_be_cut_as_well() {
        int calls = run(one(), Integer.MAX_VALUE, false).size();
        for (int first = 0; first < calls; first++) {
            for (int second = 0; second < 30; second++) {
                SimulatedApi api = one();
                List<JsonObject> before = volumes(api);
                run(api, first, true);
                run(api, second, true);
                run(api, Integer.MAX_VALUE, false);
                assertDone(api, before, first + " and " + second);
            }
        }
    }

    @Test
    void a_claim_that_is_deleted_at_any_call_leaves_its_storage_and_no_intent() {
        int calls = run(one(), Integer.MAX_VALUE, false).size();
        for (int at = 0; at < calls; at++) {
            SimulatedApi api = one();
            run(api, at, true);
            boolean begun = !api.paths(SimulatedVolumes.INTENTS).isEmpty();
            boolean untouched = api.get(SimulatedVolumes.KIND + "pvc-1")
                    .filter(volume -> new VolumeObject(volume).policy().equals("Delete"))
                    .isPresent();
            api.remove(SimulatedVolumes.CLAIMS + "claim-1");
            // With the policy Delete in force, the storage goes as for every claim that is deleted.
            boolean kept = api.deletedStorage().isEmpty();
            run(api, Integer.MAX_VALUE, false);

            assertThat(api.paths(SimulatedVolumes.INTENTS)).as("cut %d", at).isEmpty();
            assertThat(api.deletedStorage().isEmpty()).as("cut %d", at).isEqualTo(kept);
            if (begun && !untouched) {
                assertThat(SimulatedVolumes.volume(api, 1).policy()).isEqualTo("Retain");
                assertThat(SimulatedVolumes.volume(api, 1).annotations())
                        .doesNotContainKeys(ReplacementMark.INTENT, "org.example.csi/skip-reclaim");
            }
        }
    }

    private static void assertDone(SimulatedApi api, List<JsonObject> before, String last) {
        List<JsonObject> after = volumes(api);
        assertThat(api.paths(SimulatedVolumes.INTENTS)).as(last).isEmpty();
        assertThat(api.deletedStorage()).as(last).isEmpty();
        assertThat(after).as(last).hasSameSizeAs(before);
        for (int i = 0; i < after.size(); i++) {
            assertThat(SimulatedVolumes.kept(after.get(i))).as(last).isEqualTo(SimulatedVolumes.kept(before.get(i)));
            VolumeObject volume = new VolumeObject(after.get(i));
            assertThat(volume.affinity()).as(last).isEqualTo(SimulatedVolumes.on("b"));
            assertThat(volume.phase()).as(last).isEqualTo("Bound");
            assertThat(volume.isBeingDeleted()).as(last).isFalse();
        }
    }

    private static SimulatedApi cluster() {
        SimulatedApi api = new SimulatedApi();
        IntStream.range(0, VOLUMES).forEach(index -> SimulatedVolumes.add(api, index));
        return api;
    }

    private static SimulatedApi one() {
        SimulatedApi api = new SimulatedApi();
        SimulatedVolumes.add(api, 1);
        return api;
    }

    private static List<JsonObject> volumes(SimulatedApi api) {
        return api.paths(SimulatedVolumes.KIND).stream()
                .map(path -> api.get(path).orElseThrow())
                .toList();
    }

    /** What a process does from its start: it finishes what is begun, then makes what is left of the plan. */
    private static List<String> run(SimulatedApi api, int cutAt, boolean afterwards) {
        CutApi cut = new CutApi(api, cutAt, afterwards);
        try {
            VolumeChanger writer = writer(cut);
            writer.resume(() -> true);
            for (AffinityChange change : plan(api)) {
                writer.change(change, _ -> true);
            }
        } catch (CutApi.Killed _) {
            // The next run goes on.
        }
        return cut.calls();
    }

    private static List<AffinityChange> plan(SimulatedApi api) {
        List<AffinityChange> changes = new ArrayList<>();
        for (String path : api.paths(SimulatedVolumes.KIND)) {
            VolumeObject volume = new VolumeObject(api.get(path).orElseThrow());
            int index = Integer.parseInt(volume.name().substring("pvc-".length()));
            AffinityChange change = SimulatedVolumes.change(api, index, "b");
            if (change.kind() != AffinityChange.Kind.SAME && volume.phase().equals("Bound")) {
                changes.add(change);
            }
        }
        return changes;
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
