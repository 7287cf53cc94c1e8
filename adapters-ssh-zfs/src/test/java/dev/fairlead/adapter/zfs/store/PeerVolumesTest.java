package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Volumes with the properties that democratic-csi was recorded to give, and what ours have beside them. */
class PeerVolumesTest {
    private static final NativeId PVC = new NativeId("pvc-1");
    private static final String DATASET = "tank/v/pvc-1";
    private static final Map<String, String> ISCSI = Map.of(
            PeerProperties.VOLUME_NAME,
            "pvc-1",
            PeerProperties.MANAGED,
            "true",
            PeerProperties.PROVISIONER_DRIVER,
            "zfs-generic-iscsi",
            PeerProperties.PROVISIONER_INSTANCE,
            "inst1",
            PeerProperties.ISCSI_ASSET,
            "pre-pvc-1-suf",
            PeerProperties.SHARE_CONTEXT,
            "{\"node_attach_driver\":\"iscsi\",\"portal\":\"1.2.3.4:3260\",\"portals\":\"\",\"interface\":\"\","
                    + "\"iqn\":\"iqn.2003-01.x:pre-pvc-1-suf\",\"lun\":0}",
            PeerProperties.SUCCESS,
            "true",
            "volsize",
            "1000013824",
            "volblocksize",
            "16384");

    private final ZfsFixture fixture =
            new ZfsFixture(VolumeMedium.Kind.BLOCK_DEVICE, Map.of("datasetParentName", "tank/v"));
    private final VolumeStore store = fixture.open();

    @Test
    void are_found_and_listed_as_they_were_made() {
        fixture.pool().put(DATASET, "volume", ISCSI);

        StoredVolume found = store.find(PVC, TestWork.patient()).orElseThrow();

        assertThat(found.name()).contains(new CsiName("pvc-1"));
        assertThat(found.capacity()).contains(Capacity.ofBytes(1000013824));
        assertThat(found.content()).isEqualTo(Content.EMPTY);
        assertThat(Notes.contextOf(found.notes()))
                .containsEntry("lun", "0")
                .containsEntry("iqn", "iqn.2003-01.x:pre-pvc-1-suf")
                .containsEntry("provisioner_driver", "zfs-generic-iscsi")
                .containsEntry("provisioner_driver_instance_id", "inst1");
        assertThat(store.list(PageRequest.all(), TestWork.patient()).items()).containsExactly(found);
    }

    @Test
    void are_grown_and_noted_without_touching_what_the_peer_wrote() {
        fixture.pool().put(DATASET, "volume", ISCSI);

        store.note(PVC, Map.of("seen", "today"), TestWork.patient());
        store.expand(PVC, TestVolumes.atLeast(Capacity.ofBytes(2_000_000_000)), TestWork.patient());

        Map<String, String> expected = new HashMap<>(ISCSI);
        expected.put("volsize", "2000011264");
        expected.put(OwnProperties.NOTES, "{\"seen\":\"today\"}");
        assertThat(fixture.pool().own(DATASET)).isEqualTo(expected);
    }

    @Test
    void are_snapshotted_cloned_and_deleted() {
        fixture.pool().put(DATASET, "volume", ISCSI);
        var snapshots = store.snapshots().orElseThrow();

        StoredSnapshot taken = snapshots.take(
                TestVolumes.snapshot(
                        "snap-1", store.find(PVC, TestWork.patient()).orElseThrow()),
                100,
                TestWork.patient());

        assertThat(taken.id()).isEqualTo(new NativeId("pvc-1@snap-1"));
        assertThat(fixture.pool().own(DATASET + "@snap-1"))
                .isEqualTo(Map.of(
                        PeerProperties.SNAPSHOT_NAME, "snap-1",
                        PeerProperties.SNAPSHOT_SOURCE, "pvc-1",
                        PeerProperties.MANAGED, "true",
                        PeerProperties.SUCCESS, "true"));
        Failing.with(Failure.InUse.class, () -> store.delete(PVC, OnDependents.REFUSE, TestWork.patient()));
        snapshots.delete(taken.id(), TestWork.patient());
        store.delete(PVC, OnDependents.REFUSE, TestWork.patient());
        fixture.verifyEmpty();
    }

    @Test
    void ours_have_every_property_of_theirs() {
        var birth = store.plan(TestVolumes.empty("pvc-1"), PVC)
                .noting(Notes.ofContext(Map.of(
                        "node_attach_driver", "iscsi",
                        "portal", "1.2.3.4:3260",
                        "portals", "",
                        "interface", "",
                        "iqn", "iqn.2003-01.x:pre-pvc-1-suf",
                        "lun", "0",
                        "provisioner_driver", "zfs-generic-iscsi",
                        "provisioner_driver_instance_id", "inst1")))
                .noting(Map.of("iscsi-asset", "pre-pvc-1-suf"));

        store.create(birth, TestWork.patient());

        Map<String, String> ours = fixture.pool().own(DATASET);
        Set<String> sizes = Set.of("volsize", "volblocksize");
        ISCSI.forEach((key, value) -> {
            if (!sizes.contains(key)) {
                assertThat(ours).containsEntry(key, value);
            }
        });
        assertThat(ours).containsEntry("refreservation", "0").containsEntry("volblocksize", "16K");
    }

    @Test
    void what_only_inherited_the_mark_is_no_volume() {
        fixture.pool().put("tank/v/marked", "volume", ISCSI);
        fixture.pool().put("tank/v/marked/child", "volume", Map.of("volsize", "16384"));
        fixture.pool().put("tank/v/strange", "volume", Map.of("volsize", "16384"));

        assertThat(store.list(PageRequest.all(), TestWork.patient()).items())
                .extracting(StoredVolume::id)
                .containsExactly(new NativeId("marked"));
        assertThat(store.find(new NativeId("strange"), TestWork.patient())).isEqualTo(Optional.empty());
        var strange = new StoredVolume(
                new NativeId("strange"),
                Optional.empty(),
                Optional.empty(),
                new VolumeMedium.BlockDevice("/dev/zvol/tank/v/strange"),
                Content.EMPTY,
                Map.of());
        Failing.with(
                Failure.VolumeNotFound.class,
                () -> store.snapshots()
                        .orElseThrow()
                        .take(TestVolumes.snapshot("snap-1", strange), 100, TestWork.patient()));
        assertThat(fixture.pool().names()).doesNotContain("tank/v/strange@snap-1");
        Failing.with(
                Failure.NotOurs.class,
                () -> store.deletionCheck(new NativeId("strange"), OnDependents.REFUSE, TestWork.patient()));
        Failing.with(
                Failure.NotOurs.class,
                () -> store.delete(new NativeId("strange"), OnDependents.REFUSE, TestWork.patient()));
        assertThat(fixture.pool().names()).contains("tank/v/strange");
    }
}
