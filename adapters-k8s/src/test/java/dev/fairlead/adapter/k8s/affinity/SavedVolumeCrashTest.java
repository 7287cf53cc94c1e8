package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.affinity.HalfReplaced.State;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ends what LINSTOR's affinity controller left half replaced, and cuts that before and after each of its calls; whoever
 * comes next finishes it.
 */
class SavedVolumeCrashTest {
    private static final String PV = SimulatedVolumes.KIND;
    private static final int[] POLICIES = {1, 3}; // Delete, Retain

    @ParameterizedTest
    @EnumSource
    void every_call_may_be_the_last(State state) {
        for (int index : POLICIES) {
            int calls = killed(new Case(index, state), Integer.MAX_VALUE, false);
            System.out.println(state + ": kill points " + 2 * calls);
            for (int at = 0; at < calls; at++) {
                for (boolean after : new boolean[] {false, true}) {
                    Case one = new Case(index, state);
                    assertThat(killed(one, at, after)).isEqualTo(at + 1);
                    killed(one, Integer.MAX_VALUE, false);
                    one.assertEnded(state + " cut " + at + (after ? " after" : " before"));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TERMINATING", "GONE"})
    void a_successor_may_be_cut_as_well(State state) {
        int calls = killed(new Case(1, state), Integer.MAX_VALUE, false);
        for (int first = 0; first < calls; first++) {
            for (int second = first % 9; second < calls + 2; second += 9) {
                Case one = new Case(1, state);
                killed(one, first, true);
                killed(one, second, true);
                killed(one, Integer.MAX_VALUE, false);
                one.assertEnded(state + " cut " + first + " and " + second);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_claim_that_is_deleted_at_any_call_leaves_its_storage(State state) {
        int calls = killed(new Case(1, state), Integer.MAX_VALUE, false);
        for (int at = 0; at < calls; at++) {
            Case one = new Case(1, state);
            killed(one, at, true);
            one.api.remove(SimulatedVolumes.CLAIMS + "claim-1");
            // With the policy Delete in force, the storage goes as for every claim that is deleted.
            boolean kept = one.api.deletedStorage().isEmpty();
            killed(one, Integer.MAX_VALUE, false);

            assertThat(one.api.deletedStorage().isEmpty()).as("cut %d", at).isEqualTo(kept);
            assertThat(one.api.paths(SimulatedVolumes.INTENTS)).as("cut %d", at).isEmpty();
            assertThat(one.saved.kept()).as("cut %d", at).isEmpty();
            if (kept && state != State.INTACT && state != State.NEW) {
                VolumeObject volume = SimulatedVolumes.volume(one.api, 1);
                assertThat(volume.policy()).isEqualTo("Retain");
                assertThat(volume.annotations())
                        .doesNotContainKeys(ReplacementMark.INTENT, "org.example.csi/skip-reclaim");
            }
        }
    }

    private static int killed(Case one, int at, boolean after) {
        CutApi cut = new CutApi(one.api, at, after);
        try {
            one.saved.run(one.api, cut);
        } catch (CutApi.Killed _) {
            // The next run goes on.
        }
        return cut.calls().size();
    }

    /** One volume in one state, and what it was before. */
    private static final class Case {
        private final SimulatedApi api = new SimulatedApi();
        private final StagedSaved saved = new StagedSaved(api);
        private final State state;
        private final String path;
        private final VolumeObject before;

        private Case(int index, State state) {
            this.state = state;
            this.path = PV + SimulatedVolumes.name(index);
            SimulatedVolumes.add(api, index);
            before = new VolumeObject(api.get(path).orElseThrow());
            saved.keep(index, HalfReplaced.put(api, index, state));
        }

        private void assertEnded(String when) {
            assertThat(api.paths(SimulatedVolumes.INTENTS)).as(when).isEmpty();
            assertThat(api.deletedStorage()).as(when).isEmpty();
            assertThat(saved.kept()).as(when).isEmpty();
            VolumeObject now = new VolumeObject(api.get(path).orElseThrow());
            assertThat(now.phase()).as(when).isEqualTo("Bound");
            assertThat(now.isBeingDeleted()).as(when).isFalse();
            assertThat(now.policy()).as(when).isEqualTo(before.policy());
            assertThat(now.annotations()).as(when).isEqualTo(before.annotations());
            if (state == State.GONE || state == State.NEW) {
                assertThat(now.affinity()).as(when).isEqualTo(SimulatedVolumes.on("b"));
                assertThat(kept(HalfReplaced.saved(now.raw())))
                        .as(when)
                        .isEqualTo(kept(HalfReplaced.saved(before.raw())));
            } else {
                assertThat(now.affinity()).as(when).isEqualTo(before.affinity());
                assertThat(kept(now.raw())).as(when).isEqualTo(kept(before.raw()));
            }
        }

        private static JsonObject kept(JsonObject volume) {
            return SimulatedVolumes.kept(volume);
        }
    }
}
