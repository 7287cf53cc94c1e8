package dev.fairlead.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/**
 * Provides the store that a contract is about, and the storage below it. A test class implements these methods once for
 * all the contracts that it inherits.
 */
public interface StoreSubject {
    /**
     * Returns the store under test. Each call opens a new instance over the same storage, as a restarted process does;
     * the caller closes it.
     */
    VolumeStore store();

    /** Writes a file as the volume's user does. */
    void write(StoredVolume volume, String file, String content);

    /** Returns what a file of the volume holds, read directly from the storage; empty if there is none. */
    Optional<String> read(StoredVolume volume, String file);

    /** Fails unless the storage itself holds nothing that the store made: no volume, no snapshot, no leftover. */
    void verifyEmpty();

    /** Returns the id that the id policy suggests for a name. */
    default NativeId suggested(CreateRequest request) {
        String name = request.name().value();
        return NativeId.isValid(name) && !name.contains("/")
                ? new NativeId(name)
                : new NativeId("id-" + Integer.toHexString(name.hashCode()));
    }

    /** Returns ids that were never this store's own, each of them unwelcome somewhere. */
    default Stream<NativeId> hostileIds() {
        return HostileInput.ids();
    }

    /** Plans and creates a volume, with one note at birth. */
    default StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(birth(store, request), TestWork.patient()).volume();
    }

    default Birth birth(VolumeStore store, CreateRequest request) {
        return store.plan(request, suggested(request)).noting(Map.of("context/born", "with it"));
    }

    default List<StoredVolume> volumes(VolumeStore store) {
        return store.list(PageRequest.all(), TestWork.patient()).items();
    }

    default List<StoredSnapshot> snapshots(VolumeStore store) {
        return store.snapshots()
                .map(role -> role.list(Optional.empty(), PageRequest.all(), TestWork.patient())
                        .items())
                .orElse(List.of());
    }

    /** Checks that all that a test made can be deleted, and that the storage is empty then. */
    @AfterEach
    default void everything_can_be_deleted_without_a_trace() {
        try (VolumeStore store = store()) {
            store.snapshots().ifPresent(role -> deleteAll(store, role));
            deleteVolumes(store);
            assertThat(volumes(store)).isEmpty();
            assertThat(snapshots(store)).isEmpty();
        }
        verifyEmpty();
    }

    /** Deletes clones before their sources, since some stores refuse to delete a source that has a clone. */
    private void deleteVolumes(VolumeStore store) {
        int left = Integer.MAX_VALUE;
        for (List<StoredVolume> all = volumes(store); !all.isEmpty() && all.size() < left; all = volumes(store)) {
            left = all.size();
            for (StoredVolume volume : all) {
                if (store.deletionCheck(volume.id(), OnDependents.REFUSE, TestWork.patient())
                        .obstacles()
                        .isEmpty()) {
                    store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
                }
            }
        }
    }

    private void deleteAll(VolumeStore store, SnapshotStore role) {
        for (StoredSnapshot snapshot : snapshots(store)) {
            if (snapshot.group().isPresent()) {
                role.groups().orElseThrow().delete(snapshot.group().get(), TestWork.patient());
            } else {
                role.delete(snapshot.id(), TestWork.patient());
            }
        }
    }
}
