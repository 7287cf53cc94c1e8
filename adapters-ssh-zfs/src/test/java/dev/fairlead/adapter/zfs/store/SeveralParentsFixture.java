package dev.fairlead.adapter.zfs.store;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.ShapeDigest;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;

/** A store over two pools, whose classes may name two parents beside the usual one. */
final class SeveralParentsFixture {
    static final Map<String, String> USUAL = Map.of();
    static final Map<String, String> FAST = Map.of("parent", "fast");
    static final Map<String, String> FAR = Map.of("parent", "far");

    final ZfsFixture fixture = new ZfsFixture(
            VolumeMedium.Kind.FILESYSTEM,
            Map.of("datasetParentName", "tank/v", "detachedSnapshotsDatasetParentName", "tank/s"),
            Map.of("fast", "tank/fast", "far", "ssd/v"),
            "tank",
            "tank/v",
            "tank/s",
            "ssd");
    final VolumeStore store = fixture.open();
    final SnapshotStore snapshots = store.snapshots().orElseThrow();

    static CreateRequest request(CreateRequest plain, Map<String, String> parameters) {
        return ClassedStore.with(plain, parameters);
    }

    VolumeStore.Birth birth(CreateRequest request) {
        return store.plan(request, new NativeId(request.name().value()))
                .noting(Map.of(Notes.DIGEST, ShapeDigest.of(request).value()));
    }

    Creation create(CreateRequest plain, Map<String, String> parameters) {
        return store.create(birth(request(plain, parameters)), TestWork.patient());
    }

    StoredVolume make(String name, Map<String, String> parameters) {
        return create(TestVolumes.empty(name), parameters).volume();
    }

    List<String> listed() {
        return store.list(PageRequest.all(), TestWork.patient()).items().stream()
                .map(volume -> volume.id().value())
                .toList();
    }

    StoredSnapshot take(StoredVolume source, String name, Map<String, String> parameters) {
        return snapshots.take(new SnapshotRequest(new CsiName(name), source.id(), parameters), 100, TestWork.patient());
    }

    long commands(String verb) {
        return fixture.pool().history().stream()
                .filter(words -> words.size() > 1 && words.get(1).equals(verb))
                .count();
    }
}
