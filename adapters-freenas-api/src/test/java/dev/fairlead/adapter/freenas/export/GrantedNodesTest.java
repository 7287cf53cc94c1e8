package dev.fairlead.adapter.freenas.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom exports are changed for if the record of nodes is another one than the caller saw. */
class GrantedNodesTest {
    private static final Grants ONE =
            Grants.NONE.with(new Grant("node-1", "10.0.0.1", false, AccessMode.MULTI_NODE_MULTI_WRITER, false));
    private static final Grants TWO =
            Grants.NONE.with(new Grant("node-2", "10.0.0.2", false, AccessMode.MULTI_NODE_MULTI_WRITER, false));

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static StoredVolume seen(ExportedVolumes volumes, Grants grants) {
        Map<String, String> notes = new HashMap<>(Access.CLOSED);
        notes.putAll(grants.note());
        StoredVolume volume = volumes.volume(volumes.birth("pvc-a"), notes);
        volumes.record(volume, grants.text());
        return volume;
    }

    @Test
    void nothing_is_changed_by_a_record_that_was_replaced_before() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var volumes = new ExportedVolumes(box, VolumeMedium.Kind.BLOCK_DEVICE);
            StoredVolume volume = seen(volumes, ONE);
            volumes.record(volume, TWO.text());
            List<Grants> changes = new ArrayList<>();

            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> new GrantedNodes(box.client().get()).follow(volume, ONE, changes::add, TestWork.patient()));

            assertThat(changes).isEmpty();
        }
    }

    @Test
    void a_record_that_is_replaced_meanwhile_is_followed() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var volumes = new ExportedVolumes(box, VolumeMedium.Kind.BLOCK_DEVICE);
            StoredVolume volume = seen(volumes, ONE);
            List<Grants> changes = new ArrayList<>();

            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> new GrantedNodes(box.client().get())
                            .follow(
                                    volume,
                                    ONE,
                                    grants -> {
                                        changes.add(grants);
                                        volumes.record(volume, TWO.text());
                                    },
                                    TestWork.patient()));

            assertThat(changes).containsExactly(ONE, TWO);
        }
    }

    @Test
    void nobody_is_let_in_if_the_box_refuses_those_who_remain_and_none_of_them_is_in() {
        List<Set<String>> changes = new ArrayList<>();

        GrantedNodes.shutOut(Set.of("b"), Optional.of(Set.of("a")), nodes -> {
            changes.add(Set.copyOf(nodes));
            if (!nodes.isEmpty()) {
                throw new StorageException(new Failure.BackendRejected("nas", "b is no host"));
            }
        });

        assertThat(changes).containsExactly(Set.of("b"), Set.of());
    }

    @Test
    void a_record_that_stays_is_followed_once() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            StoredVolume volume = seen(new ExportedVolumes(box, VolumeMedium.Kind.BLOCK_DEVICE), ONE);
            List<Grants> changes = new ArrayList<>();

            new GrantedNodes(box.client().get()).follow(volume, ONE, changes::add, TestWork.patient());

            assertThat(changes).containsExactly(ONE);
        }
    }

    /** democratic-csi uses volumes where they are mounted, so that their paths are no names of datasets. */
    @Test
    void a_volume_that_is_mounted_elsewhere_is_known_by_its_place() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var volumes = new ExportedVolumes(box, VolumeMedium.Kind.FILESYSTEM);
            StoredVolume made = seen(volumes, ONE);
            box.putDataset("tank/elsewhere", "FILESYSTEM", new JsonObject());
            box.putDataset("tank/elsewhere/pvc-a", "FILESYSTEM", new JsonObject());
            box.tamper("dataset", SimulatedBox.PARENT, row -> {
                row.getAsJsonObject("props").addProperty("mountpoint", "/mnt/tank/elsewhere");
                return row;
            });
            var volume = new StoredVolume(
                    made.id(),
                    made.name(),
                    made.capacity(),
                    new VolumeMedium.Filesystem("/mnt/tank/elsewhere/pvc-a"),
                    made.content(),
                    made.notes(),
                    made.ownPlacement());
            box.tamper("dataset", "tank/elsewhere", row -> {
                row.getAsJsonObject("props").addProperty("mountpoint", "/mnt/off");
                return row;
            });
            List<Grants> changes = new ArrayList<>();
            var nodes = new GrantedNodes(box.client().get());

            nodes.follow(volume, ONE, changes::add, TestWork.patient());
            nodes.note(volume, Map.of(Notes.FREENAS_NFS_SHARE, "7"), TestWork.patient());

            assertThat(changes).containsExactly(ONE);
            assertThat(box.rows("dataset"))
                    .filteredOn(row -> row.toString().contains("freenas_nfs_share_id"))
                    .extracting(row -> row.get("name").getAsString())
                    .containsExactly(ExportedVolumes.dataset(volume.id()));
        }
    }
}
