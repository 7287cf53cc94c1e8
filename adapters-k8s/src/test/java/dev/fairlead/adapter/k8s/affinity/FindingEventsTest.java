package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.event.Budget;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.affinity.VolumeUse;
import dev.fairlead.domain.affinity.WaitReason;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong with a volume or with what is recorded of it has an event with its code, and deletes nothing. */
class FindingEventsTest {
    private static final String PV = SimulatedVolumes.KIND + "pvc-1";
    private static final String MAP = SimulatedVolumes.INTENTS + ReplacementIntent.mapName("pvc-1");
    private static final String OF_VOLUME = "api/v1/namespaces/default/events/";
    private static final String OF_CLAIM = "api/v1/namespaces/apps/events/";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final SimulatedApi api = new SimulatedApi();
    private final AffinityEvents events = events(100);

    FindingEventsTest() {
        SimulatedVolumes.add(api, 1);
    }

    /** One bad input: what was planned, and what comes of it. */
    record Wrong(String what, String code, Function<SimulatedApi, List<ChangeOutcome>> step) {
        @Override
        public String toString() {
            return what;
        }
    }

    static Stream<Wrong> wrong() {
        return Stream.of(
                new Wrong("edited after the plan", "FL-AFF-006", api -> planned(api, () -> edit(api, "csi"))),
                new Wrong("deleted after the plan", "FL-AFF-006", api -> planned(api, () -> api.deleteByHand(PV))),
                new Wrong("gone after the plan", "FL-AFF-006", api -> planned(api, () -> api.remove(PV))),
                new Wrong("an intent that is damaged", "FL-AFF-007", api -> intent(api, "original", "{")),
                new Wrong("an intent that is too new", "FL-AFF-007", api -> intent(api, "format", "2")),
                new Wrong("an intent of another uid", "FL-AFF-007", FindingEventsTest::ofAnotherUid),
                new Wrong("a mark without an intent", "FL-AFF-007", FindingEventsTest::marked),
                new Wrong("two of ours", "FL-AFF-008", api -> planned(api, () -> mark(api))),
                new Wrong("too long for an intent", "FL-AFF-010", api -> {
                    SimulatedVolumes.annotate(api, "example.com/long", "x".repeat(100_000));
                    return planned(api, () -> {});
                }));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void a_bad_input_has_its_event_on_the_volume_and_its_claim(Wrong wrong) {
        List<ChangeOutcome> outcomes = wrong.step().apply(api);
        outcomes.forEach(events::ended);

        assertThat(outcomes)
                .singleElement()
                .satisfies(outcome -> assertThat(outcome.message()).startsWith(wrong.code() + " "));
        assertThat(messages(OF_VOLUME)).singleElement().asString().startsWith(wrong.code() + " ");
        if (api.get(PV).isPresent()) {
            assertThat(messages(OF_CLAIM)).isEqualTo(messages(OF_VOLUME));
        }
        assertThat(api.deletedStorage()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(AffinityFinding.class)
    void what_is_unknown_for_two_looks_has_one_event_with_its_code(AffinityFinding finding) {
        var unknown = Map.of("pvc-1", new VolumePlacement.Unknown(Optional.of(finding), "why"));
        events.unknown(unknown);
        assertThat(messages(OF_VOLUME)).isEmpty();

        events.unknown(unknown);
        events.unknown(unknown);
        assertThat(messages(OF_VOLUME)).containsExactly(finding.code() + " why");
        assertThat(reasons(OF_CLAIM)).containsExactly("VolumeAffinityUnknown");

        events.unknown(Map.of());
        events.unknown(unknown);
        events.unknown(unknown);
        assertThat(messages(OF_VOLUME)).hasSize(2);
    }

    @Test
    void what_was_too_much_is_told_later() {
        AtomicReference<Instant> monotonic = new AtomicReference<>(Instant.EPOCH);
        Budget one = new Budget(1, Duration.ofMinutes(1), monotonic::get);
        AffinityEvents few = new AffinityEvents(api, FindingEventsTest::now, one, one, () -> Instant.EPOCH);
        few.ended(new ChangeOutcome("pvc-1", ChangeOutcome.Result.REPLACED, "done"));
        ChangeOutcome open = new ChangeOutcome("pvc-1", ChangeOutcome.Result.ABANDONED, "why");
        few.ended(open);
        assertThat(messages(OF_VOLUME)).containsExactly("done");

        monotonic.set(Instant.EPOCH.plusSeconds(60));
        few.ended(open);
        few.ended(open);

        assertThat(messages(OF_VOLUME)).containsExactlyInAnyOrder("done", "why");
    }

    @Test
    void what_finds_no_room_to_wait_is_told_later() {
        AtomicBoolean room = new AtomicBoolean();
        Budget many = new Budget(100, Duration.ofHours(1), InstantSource.system());
        AffinityEvents full = new AffinityEvents(api, work -> room.get() && now(work), many, many, () -> Instant.EPOCH);
        ChangeOutcome open = new ChangeOutcome("pvc-1", ChangeOutcome.Result.ABANDONED, "why");
        full.ended(open);
        assertThat(messages(OF_VOLUME)).isEmpty();

        room.set(true);
        full.ended(open);
        full.ended(open);

        assertThat(messages(OF_VOLUME)).containsExactly("why");
    }

    @Test
    void what_somebody_wants_to_be_left_alone_has_none() {
        var left = Map.of("pvc-1", new VolumePlacement.Unknown(Optional.empty(), "a mark says so"));
        events.unknown(left);
        events.unknown(left);

        assertThat(messages(OF_VOLUME)).isEmpty();
    }

    @Test
    void a_storage_that_is_silent_does_not_use_up_the_events_of_others() {
        AffinityEvents few = events(2);
        var silent = Map.of(
                "pvc-1", new VolumePlacement.Unknown("no answer"),
                "pvc-2", new VolumePlacement.Unknown("no answer"),
                "pvc-3", new VolumePlacement.Unknown("no answer"));
        few.unknown(silent);
        few.unknown(silent);
        assertThat(messages(OF_VOLUME)).hasSize(2);

        few.ended(new ChangeOutcome("pvc-1", Result.BLOCKED, AffinityFinding.UNUSABLE_INTENT, "why"));
        assertThat(messages(OF_VOLUME)).hasSize(3);
    }

    @Test
    void a_node_that_kubernetes_does_not_know_has_its_event() {
        AffinityChange change = SimulatedVolumes.change(api, 1, "ghost");
        Optional<String> obstacle = new ClusterNodes(api, PATIENCE).obstacle(change.to());

        events.waits(change, new ChangeDelay(WaitReason.UNKNOWN_NODE, obstacle.orElseThrow()));

        assertThat(messages(OF_VOLUME))
                .singleElement()
                .asString()
                .startsWith("FL-AFF-003 ")
                .contains("ghost");
        assertThat(reasons(OF_CLAIM)).containsExactly("VolumeAffinityWaits");
    }

    @Test
    void what_stays_so_is_not_told_in_each_round() {
        var mark = new ChangeOutcome("pvc-1", Result.BLOCKED, AffinityFinding.UNUSABLE_INTENT, "why");
        var two = new ChangeOutcome("pvc-1", Result.ABANDONED, AffinityFinding.ANOTHER_AT_WORK, "why");
        for (int round = 0; round < 3; round++) {
            events.ended(mark);
            events.ended(two);
        }
        assertThat(messages(OF_VOLUME)).hasSize(2);

        events.ended(new ChangeOutcome("pvc-1", Result.REPLACED, "done"));
        events.ended(mark);
        assertThat(messages(OF_VOLUME)).hasSize(4);
    }

    @Test
    void a_claim_that_is_bound_again_within_seconds_is_not_told() {
        Instant[] now = {Instant.EPOCH};
        AffinityEvents timed = events(100, () -> now[0]);
        var waits = new ChangeOutcome("pvc-1", Result.UNFINISHED, "its claim is not bound again yet");
        for (int replacement = 0; replacement < 2; replacement++) {
            timed.ended(waits);
            now[0] = now[0].plusSeconds(9);
            timed.ended(waits);
            timed.ended(new ChangeOutcome("pvc-1", Result.REPLACED, "done"));
        }
        assertThat(messages(OF_VOLUME)).containsExactly("done", "done");

        timed.ended(waits);
        now[0] = now[0].plusSeconds(10);
        timed.ended(waits);
        timed.ended(waits);
        assertThat(reasons(OF_VOLUME)).hasSize(3).containsOnlyOnce("VolumeAffinityUnfinished");
    }

    @Test
    void a_replacement_says_on_both_that_no_data_is_lost() {
        planned(api, () -> {}).forEach(events::ended);

        assertThat(messages(OF_VOLUME)).containsExactly("replaced on purpose, no data is lost");
        assertThat(messages(OF_CLAIM)).containsExactly("replaced on purpose, no data is lost");
        assertThat(reasons(OF_CLAIM)).containsExactly("VolumeAffinityChanged");
    }

    private static List<ChangeOutcome> planned(SimulatedApi api, Runnable meanwhile) {
        AffinityChange change = SimulatedVolumes.change(api, 1, "b");
        meanwhile.run();
        return List.of(writer(api).change(change, _ -> true));
    }

    private static List<ChangeOutcome> intent(SimulatedApi api, String key, String value) {
        JsonObject map = ReplacementIntent.of(SimulatedVolumes.volume(api, 1), SimulatedVolumes.on("b"))
                .deleting("1")
                .configMap("storage");
        if (!key.isEmpty()) {
            map.getAsJsonObject("data").addProperty(key, value);
        }
        api.add(MAP, map.toString());
        return writer(api).resume(() -> true);
    }

    private static List<ChangeOutcome> ofAnotherUid(SimulatedApi api) {
        intent(api, "format", "2");
        JsonObject map = ReplacementIntent.of(SimulatedVolumes.volume(api, 1), SimulatedVolumes.on("b"))
                .deleting("1")
                .configMap("storage");
        api.remove(MAP);
        JsonObject volume = api.get(PV).orElseThrow();
        volume.getAsJsonObject("metadata").addProperty("uid", "another");
        volume.getAsJsonObject("spec").getAsJsonObject("csi").addProperty("volumeHandle", "other");
        api.put(PV, volume);
        api.add(MAP, map.toString());
        return writer(api).resume(() -> true);
    }

    private static List<ChangeOutcome> marked(SimulatedApi api) {
        mark(api);
        VolumeObject volume = SimulatedVolumes.volume(api, 1);
        PlacedVolume placed = new PlacedVolume(
                volume.name(),
                volume.driver(),
                volume.handle(),
                Map.of(),
                volume.annotations(),
                Optional.empty(),
                Optional.empty());
        VolumeUse use = new VolumeUse(false, Optional.empty(), "Bound", List.of());
        return writer(api).strays(List.of(new KnownVolume(placed, volume.uid(), volume.affinity(), use)));
    }

    private static void mark(SimulatedApi api) {
        SimulatedVolumes.annotate(api, ReplacementMark.INTENT, ReplacementIntent.mapName("pvc-1"));
    }

    private static void edit(SimulatedApi api, String field) {
        JsonObject volume = api.get(PV).orElseThrow();
        volume.getAsJsonObject("spec").add("nodeAffinity", AffinityJson.write(SimulatedVolumes.on("z")));
        volume.getAsJsonObject("spec").getAsJsonObject(field).addProperty("readOnly", true);
        api.put(PV, volume);
    }

    private List<String> messages(String of) {
        return texts(of, "message");
    }

    private List<String> reasons(String of) {
        return texts(of, "reason");
    }

    private List<String> texts(String of, String key) {
        List<String> texts = new ArrayList<>();
        api.paths(of)
                .forEach(path -> texts.add(api.get(path).orElseThrow().get(key).getAsString()));
        return texts;
    }

    private AffinityEvents events(int unknowns) {
        return events(unknowns, InstantSource.fixed(Instant.EPOCH));
    }

    private AffinityEvents events(int unknowns, InstantSource wall) {
        return new AffinityEvents(
                api,
                FindingEventsTest::now,
                new Budget(100, Duration.ofHours(1), wall),
                new Budget(unknowns, Duration.ofHours(1), wall),
                wall);
    }

    /** Records at once, and lets a failure pass as the queue does. */
    private static boolean now(Runnable recording) {
        try {
            recording.run();
        } catch (StorageException _) {
            // as if it had failed later
        }
        return true;
    }

    private static VolumeChanger writer(SimulatedApi api) {
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
