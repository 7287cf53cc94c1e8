package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.NoteChange;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ZfsVolumeStoreTest extends PoolStoreContract {
    ZfsVolumeStoreTest() {
        super(
                new ZfsFixture(
                        VolumeMedium.Kind.FILESYSTEM,
                        Map.of(
                                "datasetParentName",
                                "tank/v",
                                "datasetPermissionsMode",
                                "0777",
                                "datasetPermissionsUser",
                                0,
                                "datasetPermissionsGroup",
                                0)),
                VolumeMedium.Kind.FILESYSTEM);
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of("compression", "zstd-3", "recordsize", "16384", "sync", "always", "primarycache", "metadata");
    }

    @Override
    public Map<String, String> otherParameters() {
        return Map.of("compression", "gzip", "recordsize", "1048576", "sync", "standard", "primarycache", "all");
    }

    /** Two of them each add what the other does not know of. */
    @Test
    void a_note_that_several_change_at_once_has_what_each_has_added() {
        StoredVolume volume;
        try (VolumeStore store = store()) {
            volume = make(store, TestVolumes.empty("pvc-a"));
        }
        Concurrently.run(IntStream.range(0, 4)
                .<Runnable>mapToObj(i -> () -> append(volume, "n" + i))
                .toList());

        try (VolumeStore store = store()) {
            String noted = store.find(volume.id(), TestWork.patient())
                    .orElseThrow()
                    .notes()
                    .getOrDefault(Access.GRANTS, "");
            assertThat(noted.split("n", -1)).containsExactlyInAnyOrder("", "0", "1", "2", "3");
        }
        assertThat(fixture.pool().own("tank/v/pvc-a")).containsKey("dev.fairlead:grants");
    }

    @Test
    void it_says_which_property_of_which_dataset_keeps_a_note() {
        try (VolumeStore store = store()) {
            NoteLook look = store.noteLook();

            assertThat(look.place(TestVolumes.id("pvc-a"), Notes.ISCSI_TARGET))
                    .isEqualTo("the ZFS property democratic-csi:iscsi_assets_name of tank/v/pvc-a");
            assertThat(look.place(TestVolumes.id("pvc-a"), Notes.NVMEOF_SUBSYSTEM))
                    .contains("democratic-csi:nvmeof_assets_name");
            assertThat(look.place(TestVolumes.id("pvc-a"), Notes.CONTEXT_PREFIX + "share"))
                    .contains("democratic-csi:csi_share_volume_context");
            assertThat(look.place(TestVolumes.id("pvc-a"), Notes.DIGEST)).contains("dev.fairlead:");
        }
    }

    private void append(StoredVolume volume, String text) {
        try (VolumeStore store = store()) {
            boolean done = false;
            for (int i = 0; !done && i < 100; i++) {
                String now = store.find(volume.id(), TestWork.patient())
                        .orElseThrow()
                        .notes()
                        .getOrDefault(Access.GRANTS, "");
                done = store.change(volume.id(), new NoteChange(Access.GRANTS, now, now + text), TestWork.patient());
            }
            assertThat(done).isTrue();
        }
    }
}
