package dev.fairlead.application.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.FaultyStore;
import dev.fairlead.testkit.fake.ForwardingSnapshots;
import dev.fairlead.testkit.fake.InMemoryExporter;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestWork;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A code after which nobody asks again is given only where nothing is left. */
class FinalCodesTest {
    private static final Failure REFUSED = new Failure.BackendRejected("nas", "no more exports");

    private final InMemoryStorage nas = InMemoryStorage.named("nas");
    private final ControllerFixture controller = ControllerFixture.proxy();

    /** The calls that fail at once, those that fail when they are made again, and those that do their work first. */
    private final Map<Call, RuntimeException> before = new EnumMap<>(Call.class);

    private final Map<Call, RuntimeException> later = new EnumMap<>(Call.class);
    private final Map<Call, RuntimeException> after = new EnumMap<>(Call.class);
    private final Set<Call> called = EnumSet.noneOf(Call.class);

    private enum Call {
        EXISTING,
        CREATE,
        DELETE,
        TAKE,
        EXPORT,
        UNEXPORT
    }

    FinalCodesTest() {
        controller.connections.install(new Backend(
                new ConnectionName("nas"),
                "memory",
                new FailingStore(),
                new FailingExporter(),
                ControllerFixture.settings(Placement.ANYWHERE, Map.of(), ControllerFixture.PATIENT)));
    }

    @AfterEach
    void close() {
        controller.close();
    }

    @Test
    void a_volume_that_cannot_be_exported_is_removed_before_the_refusal_is_told() {
        before.put(Call.EXPORT, new StorageException(REFUSED));

        Failing.with(Failure.BackendRejected.class, () -> controller.create("pvc-1", "nas"));
        assertThat(called).contains(Call.UNEXPORT);
        assertThat(nas.isEmpty()).isTrue();
    }

    @Test
    void a_bug_is_treated_alike_and_stays_itself() {
        after.put(Call.EXPORT, new IllegalStateException("a bug"));

        assertThatThrownBy(() -> controller.create("pvc-1", "nas"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a bug");
        assertThat(nas.isEmpty()).isTrue();
    }

    @Test
    void what_cannot_be_removed_again_is_to_be_retried_with_the_reason() {
        before.put(Call.EXPORT, new StorageException(REFUSED));
        before.put(Call.DELETE, new StorageException(REFUSED));

        assertThatThrownBy(() -> controller.create("pvc-1", "nas"))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class))
                .hasMessageContaining("no more exports")
                .hasMessageContaining("a repeated call goes on from there");

        before.clear();
        after.clear();
        assertThat(controller.create("pvc-1", "nas").handle()).isEqualTo("v:nas/pvc-1");
    }

    @Test
    void a_volume_that_was_there_before_is_never_removed() {
        controller.create("pvc-1", "nas");
        before.put(Call.EXPORT, new StorageException(REFUSED));

        Failing.with(Failure.BackendUnavailable.class, () -> controller.create("pvc-1", "nas"));
        assertThat(nas.volumes()).hasSize(1);
        assertThat(called).doesNotContain(Call.DELETE);
    }

    @Test
    void a_create_that_failed_after_all_was_made_is_to_be_retried() {
        after.put(Call.CREATE, new StorageException(REFUSED));

        Failing.with(Failure.BackendUnavailable.class, () -> controller.create("pvc-1", "nas"));

        before.clear();
        after.clear();
        controller.create("pvc-1", "nas");
        assertThat(nas.volumes()).hasSize(1);
    }

    @Test
    void a_refusal_with_nothing_made_stays_what_it_is_and_touches_nothing() {
        before.put(Call.CREATE, new StorageException(new Failure.NotOurs("v:nas/pvc-1", "a folder")));

        Failing.with(Failure.NotOurs.class, () -> controller.create("pvc-1", "nas"));
        assertThat(called).doesNotContain(Call.DELETE, Call.UNEXPORT);
    }

    /** Its own permissions may be what a file system has no room for. */
    @Test
    void a_volume_that_there_was_no_room_to_finish_is_cleared_away() {
        before.put(Call.CREATE, new StorageException(new Failure.OutOfSpace("nas", "quota exceeded")));

        Failing.with(Failure.OutOfSpace.class, () -> controller.create("pvc-1", "nas"));
        assertThat(called).contains(Call.DELETE);

        before.put(Call.DELETE, new StorageException(REFUSED));

        Failing.with(Failure.BackendUnavailable.class, () -> controller.create("pvc-1", "nas"));
    }

    /** It was there before, and is none of this call's leavings. */
    @Test
    void what_is_somebody_elses_does_not_make_a_refusal_one_that_is_repeated() {
        before.put(Call.CREATE, new StorageException(REFUSED));
        before.put(Call.DELETE, new StorageException(new Failure.NotOurs("v:nas/pvc-1", "a dataset")));

        Failing.with(Failure.BackendRejected.class, () -> controller.create("pvc-1", "nas"));
    }

    @Test
    void storage_that_cannot_say_whether_something_was_made_is_asked_again() {
        after.put(Call.CREATE, new StorageException(REFUSED));
        later.put(Call.EXISTING, new StorageException(REFUSED));

        Failing.with(Failure.BackendUnavailable.class, () -> controller.create("pvc-1", "nas"));
    }

    @Test
    void a_snapshot_that_was_taken_though_the_storage_refused_is_to_be_retried() {
        controller.create("pvc-1", "nas");
        after.put(Call.TAKE, new StorageException(REFUSED));

        Failing.with(Failure.BackendUnavailable.class, this::snapshot);

        before.clear();
        after.clear();
        snapshot();
        assertThat(nas.snapshots()).hasSize(1);
    }

    @Test
    void a_snapshot_that_was_refused_and_is_not_there_stays_refused() {
        controller.create("pvc-1", "nas");
        before.put(Call.TAKE, new StorageException(REFUSED));

        Failing.with(Failure.BackendRejected.class, this::snapshot);
        assertThat(nas.snapshots()).isEmpty();
    }

    private void snapshot() {
        controller.useCases.takeSnapshot().take(new CsiName("snap-1"), "v:nas/pvc-1", Map.of(), TestWork.patient());
    }

    /** Makes a call, which fails as is asked for. */
    private <T> T made(Call call, Supplier<T> work) {
        boolean again = !called.add(call);
        throwIfAsked(before, call);
        if (again) {
            throwIfAsked(later, call);
        }
        T answer = work.get();
        throwIfAsked(after, call);
        return answer;
    }

    private static void throwIfAsked(Map<Call, RuntimeException> failing, Call call) {
        RuntimeException asked = failing.get(call);
        if (asked != null) {
            throw asked;
        }
    }

    private final class FailingStore extends FaultyStore {
        FailingStore() {
            super(nas);
        }

        @Override
        public Optional<StoredVolume> existing(Birth birth, Work work) {
            return made(Call.EXISTING, () -> sound.existing(birth, work));
        }

        @Override
        public Creation create(Birth birth, Work work) {
            return made(Call.CREATE, () -> sound.create(birth, work));
        }

        @Override
        public void delete(NativeId id, OnDependents policy, Work work) {
            made(Call.DELETE, () -> {
                sound.delete(id, policy, work);
                return id;
            });
        }

        @Override
        public Optional<SnapshotStore> snapshots() {
            return sound.snapshots().map(FailingSnapshots::new);
        }
    }

    private final class FailingSnapshots extends ForwardingSnapshots {
        FailingSnapshots(SnapshotStore sound) {
            super(sound);
        }

        @Override
        public StoredSnapshot take(SnapshotRequest request, int maxIdBytes, Work work) {
            return made(Call.TAKE, () -> super.take(request, maxIdBytes, work));
        }
    }

    private final class FailingExporter extends InMemoryExporter {
        FailingExporter() {
            super(nas);
        }

        @Override
        public Export export(StoredVolume volume, Work work) {
            return made(Call.EXPORT, () -> super.export(volume, work));
        }

        @Override
        public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
            made(Call.UNEXPORT, () -> {
                super.unexport(id, where, stored, work);
                return id;
            });
        }
    }
}
