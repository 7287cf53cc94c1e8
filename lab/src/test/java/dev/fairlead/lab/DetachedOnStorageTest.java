package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A checksummed file through copies by send and receive, which stand on their own. */
@OnStorage
class DetachedOnStorageTest {
    private static StoredVolume make(VolumeStore store, CreateRequest request, String key) {
        var asked = new CreateRequest(
                request.name(), request.capacity(), request.capabilities(), Map.of(key, "true"), request.content());
        return store.create(store.plan(asked, new NativeId(asked.name().value())), TestWork.patient())
                .volume();
    }

    private static String checksum(ZfsPoolFixture fixture, StoredVolume volume) {
        return fixture.shell("cksum <" + volume.medium().path() + "/data");
    }

    @Test
    void copies_of_filesystems_outlive_all_that_they_were_made_of(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        try (VolumeStore store = fixture.filesystems(
                Map.of("datasetEnableQuotas", true, "detachedSnapshotsDatasetParentName", host.parent() + "/s"))) {
            SnapshotStore snapshots = store.snapshots().orElseThrow();
            StoredVolume source = make(store, TestVolumes.empty("pvc-1"), "none");
            fixture.shell("head -c 3000000 /dev/urandom >" + source.medium().path() + "/data");
            String sum = checksum(fixture, source);

            StoredVolume clone =
                    make(store, TestVolumes.fromVolume("pvc-2", source.id()), "detachedVolumesFromVolumes");
            StoredSnapshot snapshot = snapshots.take(
                    new SnapshotRequest(new CsiName("snap-1"), source.id(), Map.of("detachedSnapshots", "true")),
                    100,
                    TestWork.patient());
            store.delete(source.id(), OnDependents.REFUSE, TestWork.patient());
            StoredVolume restored =
                    make(store, TestVolumes.fromSnapshot("pvc-3", snapshot.id()), "detachedVolumesFromSnapshots");
            snapshots.delete(snapshot.id(), TestWork.patient());

            assertThat(checksum(fixture, clone)).isEqualTo(sum);
            assertThat(checksum(fixture, restored)).isEqualTo(sum);
            assertThat(clone.capacity()).contains(TestVolumes.SIZE);
            assertThat(fixture.left().lines())
                    .containsExactlyInAnyOrder(
                            fixture.parent() + "/pvc-2", fixture.parent() + "/pvc-3", host.parent() + "/s");
        }
    }

    @Test
    void copies_of_block_volumes_have_the_size_and_the_content(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        try (VolumeStore store = fixture.volumes(Map.of())) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-1"), "none");
            fixture.writeBlock(source, "data", "precious");

            StoredVolume clone =
                    make(store, TestVolumes.fromVolume("pvc-2", source.id()), "detachedVolumesFromVolumes");
            store.delete(source.id(), OnDependents.REFUSE, TestWork.patient());

            assertThat(fixture.readBlock(clone, "data")).contains("precious");
            assertThat(clone.capacity()).isEqualTo(source.capacity());
            assertThat(fixture.shell("zfs get -Hp -o value origin " + fixture.parent() + "/pvc-2")
                            .strip())
                    .isEqualTo("-");
        }
    }
}
