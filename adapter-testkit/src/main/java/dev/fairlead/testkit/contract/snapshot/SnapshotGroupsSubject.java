package dev.fairlead.testkit.contract.snapshot;

import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.SnapshotSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Provides what the contracts of groups of snapshots share. */
public interface SnapshotGroupsSubject extends SnapshotSubject {
    /** Returns the role that the contract is about; fails if the store has none. */
    default SnapshotGroups groups(VolumeStore store) {
        return role(store).groups().orElseThrow(() -> new AssertionError("the store takes no groups of snapshots"));
    }

    default List<StoredVolume> volumes(VolumeStore store, String... names) {
        return Stream.of(names)
                .map(name -> make(store, TestVolumes.empty(name)))
                .toList();
    }

    default StoredGroup group(VolumeStore store, String name, List<StoredVolume> volumes) {
        return groups(store).take(of(name, volumes), MAX_ID, TestWork.patient());
    }

    default List<NativeId> ids(List<StoredVolume> volumes) {
        return volumes.stream().map(StoredVolume::id).toList();
    }

    /** Returns a request for a volume that is made from a snapshot of a group. */
    default CreateRequest restoring(StoredSnapshot snapshot) {
        return TestVolumes.fromSnapshot(
                "pvc-restored-" + snapshot.source().value().replace('.', '-'), snapshot.id());
    }

    static GroupRequest of(String name, List<StoredVolume> volumes) {
        return new GroupRequest(
                new CsiName(name), volumes.stream().map(StoredVolume::id).toList(), Map.of());
    }
}
