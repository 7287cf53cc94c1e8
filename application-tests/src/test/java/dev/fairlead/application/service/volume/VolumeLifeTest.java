package dev.fairlead.application.service.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.in.volume.ExpandVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.ValidateVolume;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.FaultyStore;
import dev.fairlead.testkit.fake.ForwardingStore;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class VolumeLifeTest {
    private final InMemoryStorage nas = InMemoryStorage.named("nas");
    private final InMemoryStorage strict = InMemoryStorage.named("strict").dependentSnapshots();
    private final ControllerFixture controller = ControllerFixture.proxy().with(nas, strict);
    private final TestWork work = TestWork.patient();

    @AfterEach
    void close() {
        controller.close();
    }

    @Test
    void a_deleted_volume_and_its_export_are_gone_and_deleting_again_is_done() {
        controller.create("pvc-1", "nas");

        delete("v:nas/pvc-1");
        delete("v:nas/pvc-1");

        assertThat(nas.isEmpty()).isTrue();
    }

    @Test
    void a_volume_whose_deletion_the_storage_refuses_late_is_exported_as_before_to_the_same_nodes() {
        InMemoryStorage late = InMemoryStorage.named("late");
        var store = new ForwardingStore(new InMemoryVolumeStore(late)) {
            @Override
            public void delete(NativeId id, OnDependents policy, Work work) {
                throw new StorageException(new Failure.BackendRejected("late", "a snapshot was taken meanwhile"));
            }
        };
        controller.with(late, store, ControllerFixture.closed());
        controller.create("pvc-1", "late");
        String before = late.dump();

        Failing.with(Failure.BackendRejected.class, () -> delete("v:late/pvc-1"));

        assertThat(late.dump()).isEqualTo(before).contains("export");
    }

    @ParameterizedTest
    @EnumSource
    void a_volume_that_the_policy_does_not_help_is_kept_and_stays_exported(OnDependents policy) {
        InMemoryStorage barred = InMemoryStorage.named("barred");
        controller.with(
                barred,
                new FaultyStore(barred) {
                    @Override
                    public DeletionCheck deletionCheck(NativeId id, OnDependents asked, Work work) {
                        var hourly = new Dependent("the snapshot hourly", Optional.of("wait a week"));
                        return new DeletionCheck(
                                sound.deletionCheck(id, asked, work).volume(),
                                asked == policy ? List.of(hourly) : List.of());
                    }
                },
                ControllerFixture.following(policy));
        controller.create("pvc-1", "barred");

        assertThatThrownBy(() -> delete("v:barred/pvc-1"))
                .hasMessageContaining("in use by the snapshot hourly; remove that first, or wait a week");
        assertThat(barred.exports()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "s:nas/pvc-1", "v:nas/..", "v:nas/a b", "v:/pvc-1", "v:nas"})
    void a_handle_that_was_never_ours_is_deleted_already(String handle) {
        controller.create("pvc-1", "nas");
        String before = nas.dump();

        delete(handle);
        controller.useCases.deleteSnapshot().delete(handle, work);

        assertThat(nas.dump()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"_nas", "-nas", ".nas", "my nas", "nas/..", "../nas", "nas\n"})
    void a_volume_of_a_connection_that_cannot_be_loaded_is_never_said_to_be_deleted(String connection) {
        controller.create("pvc-1", "nas");
        String before = nas.dump();
        String volume = "v:" + connection + "/pvc-1";

        List<ThrowingCallable> calls = List.of(
                () -> delete(volume),
                () -> controller.useCases.deleteSnapshot().delete("s:" + connection + "/pvc-1@snap-1", work),
                () -> controller.useCases.getVolume().get(volume, work),
                () -> controller.useCases.expandVolume().expand(volume, CapacityRange.ANY, work),
                () -> take("snap-1", volume),
                () -> controller.create(ControllerFixture.command(
                        "pvc-2", Map.of("connection", "nas"), CapacityRange.ANY, new Source.Volume(volume))),
                () -> controller.useCases.groups().delete().delete("g:" + connection + "/group-1", List.of(), work));

        assertThat(calls).allSatisfy(call -> Failing.with(Failure.ConnectionUnknown.class, call));
        assertThat(nas.dump()).isEqualTo(before);
    }

    @Test
    void a_volume_of_a_connection_that_is_gone_is_never_said_to_be_deleted() {
        Failing.with(Failure.ConnectionUnknown.class, () -> delete("v:gone/pvc-1"));
        Failing.with(
                Failure.ConnectionUnknown.class,
                () -> controller.useCases.deleteSnapshot().delete("s:gone/pvc-1@snap-1", work));
    }

    @Test
    void a_volume_that_something_depends_on_is_kept_and_stays_exported() {
        controller.create("pvc-1", "strict");
        SnapshotView snapshot = take("snap-1", "v:strict/pvc-1");

        assertThatThrownBy(() -> delete("v:strict/pvc-1"))
                .hasMessageContaining("FL-VOL-003 v:strict/pvc-1 is in use by snapshot pvc-1@snap-1");
        assertThat(strict.exports()).hasSize(1);

        controller.useCases.deleteSnapshot().delete(snapshot.handle(), work);
        delete("v:strict/pvc-1");
        assertThat(strict.isEmpty()).isTrue();
    }

    @Test
    void a_connection_that_retains_keeps_what_is_deleted() {
        InMemoryStorage kept = InMemoryStorage.named("kept");
        controller.with(kept, ControllerFixture.retaining());
        controller.create("pvc-1", "kept");
        String before = kept.dump();

        delete("v:kept/pvc-1");

        assertThat(kept.dump()).isEqualTo(before);
    }

    @Test
    void a_volume_grows_and_never_shrinks() {
        controller.create("pvc-1", "nas");

        ExpandVolume.Result grown = expand(CapacityRange.of(1L << 30, 0));
        ExpandVolume.Result smaller = expand(CapacityRange.of(1, 0));

        assertThat(grown).isEqualTo(new ExpandVolume.Result(Capacity.ofGibibytes(1), false));
        assertThat(smaller).isEqualTo(grown);
        assertThat(expand(CapacityRange.ANY)).isEqualTo(grown);
    }

    @Test
    void a_limit_below_the_size_is_out_of_range_and_a_missing_volume_is_not_found() {
        controller.create("pvc-1", "nas");

        Failing.with(Failure.CapacityOutOfRange.class, () -> expand(CapacityRange.of(0, 1024)));
        // The resizer lets a claim ask for less again after this code, and after RESOURCE_EXHAUSTED never.
        Failing.with(Failure.CapacityOutOfRange.class, () -> expand(CapacityRange.of(1L << 60, 0)));
        for (String handle : List.of("nonsense", "v:nas/missing", "")) {
            Failing.with(
                    Failure.VolumeNotFound.class,
                    () -> controller.useCases.expandVolume().expand(handle, CapacityRange.of(1, 0), work));
            Failing.with(
                    Failure.VolumeNotFound.class,
                    () -> controller.useCases.getVolume().get(handle, work));
        }
    }

    @Test
    void validation_tells_what_the_connection_does_not_serve_and_what_differs() {
        Map<String, String> context =
                new HashMap<>(controller.create("pvc-1", "nas").context());
        context.put("storage.kubernetes.io/csiProvisionerIdentity", "1-8081-driver");

        assertThat(validate(List.of(TestVolumes.MOUNT), context, Map.of("connection", "nas")))
                .isEmpty();
        assertThat(validate(List.of(TestVolumes.BLOCK), context, Map.of()))
                .hasValueSatisfying(why -> assertThat(why).contains("block"));
        assertThat(validate(List.of(TestVolumes.MOUNT), Map.of("path", "/etc"), Map.of()))
                .hasValueSatisfying(why -> assertThat(why).contains("volume_context.path", "/etc"));
        assertThat(validate(List.of(TestVolumes.MOUNT), Map.of(), Map.of("fairlead.dev/nonsense", "1")))
                .isPresent();
        Failing.with(
                Failure.VolumeNotFound.class,
                () -> controller
                        .useCases
                        .validateVolume()
                        .objection(new ValidateVolume.Command("v:nas/missing", List.of(), Map.of(), Map.of()), work));
    }

    @Test
    void a_snapshot_is_taken_once_per_name_and_another_source_is_a_conflict() {
        controller.create("pvc-1", "nas");
        controller.create("pvc-2", "nas");

        SnapshotView taken = take("snap-1", "v:nas/pvc-1");

        assertThat(taken.sourceVolume()).isEqualTo("v:nas/pvc-1");
        assertThat(taken.size()).isEqualTo(TestVolumes.SIZE);
        assertThat(take("snap-1", "v:nas/pvc-1")).isEqualTo(taken);
        Failing.with(Failure.SnapshotConflict.class, () -> take("snap-1", "v:nas/pvc-2"));
        Failing.with(Failure.VolumeNotFound.class, () -> take("snap-2", "v:nas/missing"));
        Failing.with(Failure.VolumeNotFound.class, () -> take("snap-2", "nonsense"));
        assertThat(nas.snapshots()).hasSize(1);
    }

    @Test
    void a_snapshot_is_found_again_after_its_source_has_gone() {
        controller.create("pvc-1", "nas");
        SnapshotView taken = take("snap-1", "v:nas/pvc-1");
        delete("v:nas/pvc-1");

        assertThat(take("snap-1", "v:nas/pvc-1")).isEqualTo(taken);
        assertThat(controller.useCases.getSnapshot().get(taken.handle(), work)).isEqualTo(taken);
    }

    @Test
    void a_volume_cannot_go_while_a_snapshot_of_it_is_taken() {
        controller.create("pvc-1", "nas");
        String snapshotting =
                controller.codec.encode(controller.codec.volume("v:nas/pvc-1").orElseThrow());
        nas.beforeEachCall(() -> {
            nas.recover();
            Failing.with(Failure.OperationPending.class, () -> delete(snapshotting));
        });

        take("snap-1", "v:nas/pvc-1");

        assertThat(nas.volumes()).hasSize(1);
    }

    @Test
    void a_volume_of_a_peer_is_served_with_the_context_that_the_peer_computes() {
        Map<String, String> ours = controller.create("pvc-1", "nas").context();
        nas.forget(TestVolumes.id("pvc-1"));
        Map<String, String> expected = new HashMap<>(ours);
        expected.remove("fairlead.dev/content");

        Map<String, String> got =
                controller.useCases.getVolume().get("v:nas/pvc-1", work).context();
        Map<String, String> again = controller.create("pvc-1", "nas").context();
        Map<String, String> after =
                controller.useCases.getVolume().get("v:nas/pvc-1", work).context();

        assertThat(got).isEqualTo(expected).isEqualTo(again).isEqualTo(after);
    }

    private void delete(String handle) {
        controller.useCases.deleteVolume().delete(handle, work);
    }

    private ExpandVolume.Result expand(CapacityRange range) {
        return controller.useCases.expandVolume().expand("v:nas/pvc-1", range, work);
    }

    private SnapshotView take(String name, String source) {
        return controller.useCases.takeSnapshot().take(new CsiName(name), source, Map.of(), work);
    }

    private Optional<String> validate(
            List<VolumeCapability> capabilities, Map<String, String> context, Map<String, String> parameters) {
        return controller
                .useCases
                .validateVolume()
                .objection(new ValidateVolume.Command("v:nas/pvc-1", capabilities, context, parameters), work);
    }
}
