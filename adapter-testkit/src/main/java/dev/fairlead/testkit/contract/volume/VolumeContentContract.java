package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.StoreSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A volume made from another or from a snapshot has all its content, or is refused and does not exist. */
public interface VolumeContentContract extends StoreSubject {
    int MAX_SNAPSHOT_ID = 100;

    @Test
    default void a_clone_has_the_content_of_its_source_and_a_life_of_its_own() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-source"));
            write(source, "data", "precious");
            write(source, "other", "more");

            Optional<StoredVolume> made =
                    Failing.unlessUnsupported(() -> make(store, TestVolumes.fromVolume("pvc-clone", source.id())));

            made.ifPresent(clone -> {
                assertThat(clone.content()).isEqualTo(new Content.OfVolume(source.id()));
                assertThat(read(clone, "data")).contains("precious");
                assertThat(read(clone, "other")).contains("more");
                write(source, "data", "changed");
                write(clone, "other", "changed too");
                assertThat(read(clone, "data")).contains("precious");
                assertThat(read(source, "other")).contains("more");
            });
            assertThat(volumes(store)).hasSize(made.isPresent() ? 2 : 1).contains(source);
        }
    }

    @Test
    default void a_clone_outlives_its_source_or_keeps_it() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-source"));
            write(source, "data", "precious");
            Optional<StoredVolume> made =
                    Failing.unlessUnsupported(() -> make(store, TestVolumes.fromVolume("pvc-clone", source.id())));
            boolean depends = !store.deletionCheck(source.id(), OnDependents.REFUSE, TestWork.patient())
                    .obstacles()
                    .isEmpty();

            boolean gone = Failing.works(() -> store.delete(source.id(), OnDependents.REFUSE, TestWork.patient()));

            assertThat(gone).isEqualTo(!depends);
            assertThat(store.find(source.id(), TestWork.patient()).isPresent()).isEqualTo(depends);
            made.ifPresent(clone -> {
                assertThat(read(clone, "data")).contains("precious");
                store.delete(clone.id(), OnDependents.REFUSE, TestWork.patient());
            });
        }
    }

    @Test
    default void a_restored_volume_has_the_content_of_the_snapshot() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-source"));
            write(source, "data", "before");
            Optional<StoredSnapshot> taken = snapshotOf(store, source);
            write(source, "data", "after");

            Optional<StoredVolume> made = taken.flatMap(snapshot -> Failing.unlessUnsupported(
                    () -> make(store, TestVolumes.fromSnapshot("pvc-restored", snapshot.id()))));

            made.ifPresent(restored -> {
                assertThat(restored.content())
                        .isEqualTo(new Content.OfSnapshot(taken.orElseThrow().id()));
                assertThat(read(restored, "data")).contains("before");
                assertThat(read(source, "data")).contains("after");
            });
            assertThat(volumes(store)).hasSize(made.isPresent() ? 2 : 1);
            made.ifPresent(restored -> store.delete(restored.id(), OnDependents.REFUSE, TestWork.patient()));
        }
    }

    @Test
    default void a_missing_source_is_told_and_nothing_is_made() {
        try (VolumeStore store = store()) {
            refusesSource(store, new Content.OfVolume(TestVolumes.id("pvc-absent")));
            refusesSource(store, new Content.OfSnapshot(TestVolumes.id("pvc-absent-snapshot")));

            assertThat(volumes(store)).isEmpty();
        }
        verifyEmpty();
    }

    private void refusesSource(VolumeStore store, Content content) {
        try {
            make(store, TestVolumes.with("pvc-orphan", content));
        } catch (StorageException e) {
            assertThat(e.failure())
                    .isInstanceOfAny(
                            Failure.VolumeNotFound.class, Failure.SnapshotNotFound.class, Failure.Unsupported.class);
            return;
        }
        throw new AssertionError("a volume was made of " + content + ", which does not exist");
    }

    private static Optional<StoredSnapshot> snapshotOf(VolumeStore store, StoredVolume source) {
        Optional<SnapshotStore> role = store.snapshots();
        return role.map(snapshots ->
                snapshots.take(TestVolumes.snapshot("snap-1", source), MAX_SNAPSHOT_ID, TestWork.patient()));
    }
}
