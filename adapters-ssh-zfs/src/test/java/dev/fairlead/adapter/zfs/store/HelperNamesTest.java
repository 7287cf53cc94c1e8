package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Snapshots that callers asked for under names which helpers begin with. */
class HelperNamesTest {
    private static final String THEIRS = "tank/v/pvc-1@volume-source-for-volume-backup";
    private static final NativeId ID = new NativeId("pvc-1@volume-source-for-volume-backup");

    private final ZfsFixture fixture =
            new ZfsFixture(VolumeMedium.Kind.BLOCK_DEVICE, Map.of("datasetParentName", "tank/v"));
    private final VolumeStore store = fixture.open();

    private StoredVolume make(CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    /** As democratic-csi takes it, by the name that it was asked for. */
    private void theirs() {
        make(TestVolumes.empty("pvc-1"));
        fixture.pool()
                .play(List.of(
                        "zfs",
                        "snapshot",
                        "-o",
                        "democratic-csi:managed_resource=true",
                        "-o",
                        "democratic-csi:csi_snapshot_name=volume-source-for-volume-backup",
                        THEIRS));
    }

    private void isThere() {
        assertThat(fixture.pool().names()).contains(THEIRS);
        assertThat(fixture.pool().own(THEIRS)).doesNotContainKey("defer_destroy");
    }

    @Test
    void one_stays_when_a_volume_that_was_restored_from_it_goes() {
        theirs();
        make(TestVolumes.fromSnapshot("restore", ID));

        store.delete(new NativeId("restore"), OnDependents.REFUSE, TestWork.patient());

        isThere();
    }

    @Test
    void one_stays_when_it_is_copied_into_a_volume() {
        theirs();
        CreateRequest request = TestVolumes.fromSnapshot("restore", ID);

        make(new CreateRequest(
                request.name(),
                request.capacity(),
                request.capabilities(),
                Map.of("detachedVolumesFromSnapshots", "true"),
                request.content(),
                request.mutable()));

        isThere();
    }

    @Test
    void one_stays_when_it_was_sent_elsewhere() {
        theirs();
        ContentTransfer.Sender sender = store.transfer().orElseThrow().sender();
        Content content = new Content.OfSnapshot(ID);

        sender.keep(content, "ticket", TestWork.patient());
        sender.letGo(content, "ticket", TestWork.patient());

        isThere();
    }

    @ParameterizedTest
    @ValueSource(strings = {"volume-source-for-volume-backup", "volume-source-for-snapshot-backup"})
    void a_new_one_has_a_name_that_no_helper_has(String name) {
        StoredVolume volume = make(TestVolumes.empty("pvc-1"));

        StoredSnapshot taken =
                store.snapshots().orElseThrow().take(TestVolumes.snapshot(name, volume), 100, TestWork.patient());
        StoredSnapshot again =
                store.snapshots().orElseThrow().take(TestVolumes.snapshot(name, volume), 100, TestWork.patient());

        assertThat(taken.id().value()).startsWith("pvc-1@svolume_source_for_");
        assertThat(again).isEqualTo(taken);
    }

    @Test
    void a_helper_of_the_peers_goes_with_its_clone() {
        make(TestVolumes.empty("pvc-1"));
        fixture.pool().play(List.of("zfs", "snapshot", "tank/v/pvc-1@volume-source-for-volume-pvc-2"));
        make(TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1")));

        store.delete(new NativeId("pvc-2"), OnDependents.REFUSE, TestWork.patient());
        store.delete(new NativeId("pvc-1"), OnDependents.REFUSE, TestWork.patient());

        fixture.verifyEmpty();
    }
}
