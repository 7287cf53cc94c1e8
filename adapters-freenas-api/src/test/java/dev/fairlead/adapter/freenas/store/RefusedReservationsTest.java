package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes of which a box sets all but the reservation, for which its pool has no room. */
class RefusedReservationsTest {
    private static final NativeId ID = new NativeId("pvc-a");
    private static final Capacity GIB = Capacity.ofBytes(1L << 30);
    private static final Map<String, Object> RESERVED =
            Map.of("datasetEnableQuotas", true, "datasetEnableReservation", true);
    private static final Capacity TOO_MUCH = Capacity.ofBytes(2L << 40);

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static VolumeStore store(SimulatedBox box) {
        return FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, RESERVED);
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04", "V25_10", "V26"})
    void a_clone_without_its_reservation_is_never_whole(Profile profile) {
        try (SimulatedBox box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            make(store, TestVolumes.sized("pvc-a", GIB));
            CreateRequest clone = TestVolumes.sized("pvc-b", TOO_MUCH, new Content.OfVolume(ID));

            for (int i = 0; i < 2; i++) {
                Failing.with(Failure.OutOfSpace.class, () -> make(store, clone));

                assertThat(store.find(new NativeId("pvc-b"), TestWork.patient()))
                        .isEmpty();
            }
            assertThat(box.left()).containsExactly(SimulatedBox.PARENT + "/pvc-a");
        }
    }

    private static VolumeStore reserving(SimulatedBox box, VolumeMedium.Kind kind) {
        return FreenasFixture.store(box, kind, Map.of("datasetEnableReservation", true, "zvolEnableReservation", true));
    }

    private static JsonObject properties(SimulatedBox box) {
        return box.rows("dataset").stream()
                .filter(row -> JsonTools.text(row, "name").equals(SimulatedBox.PARENT + "/pvc-a"))
                .map(row -> JsonTools.child(row, "props"))
                .findFirst()
                .orElseThrow();
    }

    /** As after a box that went down, or a look between its steps: all is set but what it is about to refuse. */
    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void a_new_volume_without_its_reservation_whose_refusal_was_lost_is_made_anew(Profile profile) {
        for (VolumeMedium.Kind kind : VolumeMedium.Kind.values()) {
            try (SimulatedBox box = new SimulatedBox(profile, folder.resolve(kind.name()))) {
                CreateRequest request = TestVolumes.sized("pvc-a", GIB);
                box.fault(Fault.at("pool.dataset.create", new Fault.CutAfter()));
                assertThat(Failing.works(() -> make(reserving(box, kind), request)))
                        .isFalse();
                box.tamper("dataset", SimulatedBox.PARENT + "/pvc-a", row -> {
                    JsonTools.child(row, "props").remove("refreservation");
                    return row;
                });

                assertThat(reserving(box, kind).find(ID, TestWork.patient())).isEmpty();
                make(reserving(box, kind), request);

                assertThat(JsonTools.text(properties(box), "refreservation")).isEqualTo(Long.toString(GIB.bytes()));
                assertThat(reserving(box, kind).find(ID, TestWork.patient())).isPresent();
            }
        }
    }

    @Test
    void a_new_volume_that_a_box_left_when_it_refused_its_reservation_is_thrown_away() {
        try (SimulatedBox box = new SimulatedBox(Profile.V25_10, folder)) {
            String words = "Failed to create dataset: cannot create 'tank/k8s/v/pvc-a': out of space";
            box.fault(Fault.at("pool.dataset.create", new Fault.Refusal(14, words, true)));

            Failing.with(Failure.OutOfSpace.class, () -> make(store(box), TestVolumes.sized("pvc-a", GIB)));

            assertThat(box.left()).isEmpty();
        }
    }

    private static StoredVolume expand(VolumeStore store) {
        return store.expand(ID, TestVolumes.atLeast(TOO_MUCH), TestWork.patient());
    }

    private static Capacity size(VolumeStore store) {
        return store.find(ID, TestWork.patient())
                .flatMap(StoredVolume::capacity)
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void a_growth_without_its_reservation_is_set_back(Profile profile) {
        try (SimulatedBox box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            make(store, TestVolumes.sized("pvc-a", GIB));

            for (int i = 0; i < 2; i++) {
                Failing.with(Failure.OutOfSpace.class, () -> expand(store));

                assertThat(size(store)).isEqualTo(GIB);
            }
            assertThat(box.rows("dataset").toString()).doesNotContain("dev.fairlead:call.");
        }
    }

    @Test
    void a_growth_of_a_noted_size_without_its_reservation_is_set_back() {
        try (SimulatedBox box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store =
                    FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, Map.of("datasetEnableReservation", true));
            make(store, TestVolumes.sized("pvc-a", GIB));

            Failing.with(Failure.OutOfSpace.class, () -> expand(store));

            assertThat(size(store)).isEqualTo(GIB);
        }
    }

    @Test
    void a_growth_without_its_reservation_whose_refusal_was_lost_is_not_done_at_the_repetition() {
        try (SimulatedBox box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box);
            make(store, TestVolumes.sized("pvc-a", GIB));
            box.tamper("dataset", SimulatedBox.PARENT + "/pvc-a", row -> {
                JsonTools.child(row, "props").addProperty("refquota", Long.toString(TOO_MUCH.bytes()));
                return row;
            });
            assertThat(size(store)).isEqualTo(TOO_MUCH);

            Failing.with(Failure.OutOfSpace.class, () -> expand(store));
        }
    }
}
