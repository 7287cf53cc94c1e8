package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.AmbiguousNames;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.contract.StoreSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ids, names and parameters that mean harm find nothing, change nothing, and are told apart from all others. */
public interface VolumeHostileContract extends StoreSubject {
    /** Returns how many inputs are tried at most: fewer if each takes seconds of real storage. */
    default int mostInputs() {
        return 600;
    }

    @Test
    default void hostile_ids_are_not_found_and_change_nothing() {
        try (VolumeStore store = store()) {
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));
            write(made, "data", "precious");

            hostileIds().forEach(id -> {
                assertThat(store.find(id, TestWork.patient())).as("find %s", id).isEmpty();
                assertThat(store.deletionCheck(id, OnDependents.REFUSE, TestWork.patient())
                                .obstacles())
                        .as("dependents %s", id)
                        .isEmpty();
                store.placeOf(id, TestWork.patient());
                store.delete(id, OnDependents.REFUSE, TestWork.patient());
                Failing.with(
                        Failure.VolumeNotFound.class,
                        () -> store.expand(id, TestVolumes.atLeast(VolumeLifeContract.DOUBLE), TestWork.patient()));
                Failing.with(Failure.VolumeNotFound.class, () -> store.note(id, Map.of("a", "b"), TestWork.patient()));
            });

            assertThat(volumes(store)).containsExactly(made);
            assertThat(read(made, "data")).contains("precious");
        }
    }

    @Test
    default void hostile_ids_are_no_sources() {
        try (VolumeStore store = store()) {
            HostileInput.ids().limit(Math.min(500, mostInputs())).forEach(id -> {
                CreateRequest clone = TestVolumes.fromVolume("pvc-clone", id);
                CreateRequest restored = TestVolumes.with("pvc-restored", new Content.OfSnapshot(id));
                assertThat(Failing.orEmpty(() -> make(store, clone)))
                        .as("clone of %s", id)
                        .isEmpty();
                assertThat(Failing.orEmpty(() -> make(store, restored)))
                        .as("restored from %s", id)
                        .isEmpty();
            });

            assertThat(volumes(store)).isEmpty();
        }
        verifyEmpty();
    }

    @Test
    default void a_hostile_suggested_id_is_refused_before_anything_is_made_or_served_like_any_other() {
        try (VolumeStore store = store()) {
            HostileInput.ids().limit(Math.min(600, mostInputs())).forEach(id -> {
                CreateRequest request = TestVolumes.empty("pvc-of-a-template");
                Optional<Birth> birth = Failing.orEmpty(() -> store.plan(request, id));
                birth.ifPresent(planned -> {
                    StoredVolume made =
                            store.create(planned, TestWork.patient()).volume();
                    write(made, "data", id.value());
                    assertThat(volumes(store)).as("made as %s", id).containsExactly(made);
                    assertThat(read(made, "data")).contains(id.value());
                    store.delete(made.id(), OnDependents.REFUSE, TestWork.patient());
                    assertThat(store.find(made.id(), TestWork.patient())).isEmpty();
                });
            });
        }
        verifyEmpty();
    }

    @Test
    default void a_volume_keeps_a_name_of_any_characters() {
        try (VolumeStore store = store()) {
            HostileInput.names().limit(Math.min(400, mostInputs())).forEach(name -> {
                CreateRequest request = TestVolumes.empty(name.value());
                AmbiguousNames.unlessTorn(name, () -> store.plan(request, TestVolumes.id("pvc-named")))
                        .ifPresent(birth -> keeps(store, birth, name));
            });
        }
        verifyEmpty();
    }

    private static void keeps(VolumeStore store, Birth birth, CsiName name) {
        StoredVolume made = store.create(birth, TestWork.patient()).volume();
        assertThat(made.name()).contains(name);
        assertThat(store.existing(birth, TestWork.patient())).contains(made);
        assertThat(store.list(PageRequest.all(), TestWork.patient()).items())
                .as("named %s", name)
                .containsExactly(made);
        store.delete(birth.id(), OnDependents.REFUSE, TestWork.patient());
    }

    @Test
    default void hostile_parameters_are_refused_before_anything_is_made_or_do_no_harm() {
        List<String> texts =
                HostileInput.texts().limit(Math.min(400, mostInputs())).toList();
        try (VolumeStore store = store()) {
            for (String text : texts) {
                CreateRequest plain = TestVolumes.empty("pvc-a");
                CreateRequest request = new CreateRequest(
                        plain.name(),
                        plain.capacity(),
                        plain.capabilities(),
                        Map.of("parameter", text, text, "value"),
                        Content.EMPTY);
                Optional<Birth> birth = Failing.orEmpty(() -> birth(store, request));
                birth.ifPresent(planned -> {
                    StoredVolume made =
                            store.create(planned, TestWork.patient()).volume();
                    assertThat(volumes(store)).as("with %s", text).containsExactly(made);
                    store.delete(made.id(), OnDependents.REFUSE, TestWork.patient());
                });
            }
        }
        verifyEmpty();
    }
}
