package dev.fairlead.adapter.freenas.nfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.export.ExportedVolumes;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whom a share lets in after a revocation if the box refuses some of the nodes that are recorded. */
class NfsRevocationTest {
    @TempDir
    private Path folder = Path.of("/nowhere");

    private static Grants nodes(int first, int last) {
        Grants all = Grants.NONE;
        for (int i = first; i <= last; i++) {
            all = all.with(new Grant("node-" + i, "10.0.0." + i, false, AccessMode.MULTI_NODE_MULTI_WRITER, false));
        }
        return all;
    }

    private static StoredVolume recorded(ExportedVolumes volumes, StoredVolume volume, Grants grants) {
        volumes.record(volume, grants.text());
        Map<String, String> notes = new HashMap<>(volume.notes());
        notes.putAll(grants.note());
        return volume.withNotes(notes);
    }

    @Test
    void a_node_is_shut_out_though_more_are_recorded_than_the_box_takes() {
        try (var box = new SimulatedBox(Profile.V25_10_0, folder)) {
            var volumes = new ExportedVolumes(box, VolumeMedium.Kind.FILESYSTEM);
            var exporter = new FreenasNfsExporter(box.client(), NfsSubject.settings(Map.of()), Settled.pending());
            StoredVolume made = volumes.volume(volumes.birth("pvc-a"), Access.CLOSED);
            StoredVolume few = recorded(volumes, made, nodes(1, 40));
            exporter.admit(few, nodes(1, 40), TestWork.patient());
            StoredVolume many = recorded(volumes, made, nodes(1, 45));
            Failure refusal = Failing.failure(() -> exporter.admit(many, nodes(1, 45), TestWork.patient()));
            assertThat(refusal).isInstanceOf(Failure.StorageUnfit.class);
            assertThat(refusal.message())
                    .contains("25.10.0", "at most 42 items", "not 45", "upgrade the box to 25.10.1", "connection ");

            exporter.revocation().orElseThrow().revoke(many, nodes(2, 45), TestWork.patient());

            assertThat(NfsSubject.letIn(box, made))
                    .contains(new TreeMap<>(nodes(2, 40).initiators()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CORE_13_0", "SCALE_24_10", "V25_10", "V26"})
    void nobody_stays_let_in_by_a_share_whose_account_is_gone(Profile profile) {
        for (Grants remaining : List.of(Grants.NONE, nodes(2, 2))) {
            for (boolean young : new boolean[] {false, true}) {
                LateCalls late = young ? new LateCalls(InstantSource.system()) : Settled.pending();
                try (var box = new SimulatedBox(
                        profile, folder.resolve(remaining.text().length() + "-" + young))) {
                    var volumes = new ExportedVolumes(box, VolumeMedium.Kind.FILESYSTEM);
                    StoredVolume volume =
                            recorded(volumes, volumes.volume(volumes.birth("pvc-a"), Access.CLOSED), nodes(1, 2));
                    var exporter = new FreenasNfsExporter(box.client(), NfsSubject.settings(Map.of()), late);
                    exporter.admit(volume, nodes(1, 2), TestWork.patient());
                    box.tamper("nfs_share", "1", NfsRevocationTest::withoutItsAccount);

                    exporter.revocation().orElseThrow().revoke(volume, remaining, TestWork.patient());

                    assertThat(NfsSubject.letIn(box, volume)).contains(new TreeMap<>());
                    Failing.with(
                            Failure.BackendRejected.class,
                            () -> spoiled(box).admit(volume, nodes(2, 2), TestWork.patient()));
                    exporter.admit(volume, nodes(1, 2), TestWork.patient());
                    assertThat(NfsSubject.letIn(box, volume))
                            .contains(new TreeMap<>(nodes(1, 2).initiators()));
                }
            }
        }
    }

    @Test
    void a_process_that_began_lately_shuts_nodes_out_of_a_share_of_core() {
        for (Grants remaining : List.of(nodes(2, 2), Grants.NONE)) {
            try (var box = new SimulatedBox(
                    Profile.CORE_13_0, folder.resolve("left-" + remaining.text().length()))) {
                var volumes = new ExportedVolumes(box, VolumeMedium.Kind.FILESYSTEM);
                StoredVolume volume =
                        recorded(volumes, volumes.volume(volumes.birth("pvc-a"), Access.CLOSED), nodes(1, 2));
                var exporter = new FreenasNfsExporter(
                        box.client(), NfsSubject.settings(Map.of()), new LateCalls(InstantSource.system()));
                exporter.admit(volume, nodes(1, 2), TestWork.patient());

                exporter.revocation().orElseThrow().revoke(volume, remaining, TestWork.patient());

                assertThat(NfsSubject.letIn(box, volume)).contains(new TreeMap<>(remaining.initiators()));
                assertThat(box.shares())
                        .hasSize(1)
                        .noneSatisfy(
                                share -> assertThat(share.get("id").getAsLong()).isEqualTo(1));
            }
        }
    }

    private static FreenasNfsExporter spoiled(SimulatedBox box) {
        return new FreenasNfsExporter(
                box.client(), NfsSubject.settings(Map.of("maproot_user", "nobody-of-this-name")), Settled.pending());
    }

    private static JsonObject withoutItsAccount(JsonObject share) {
        share.addProperty("maproot_user", "nobody-of-this-name");
        return share;
    }

    @Test
    void a_share_that_was_left_off_lets_those_in_who_remain() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var volumes = new ExportedVolumes(box, VolumeMedium.Kind.FILESYSTEM);
            var exporter = new FreenasNfsExporter(box.client(), NfsSubject.settings(Map.of()), Settled.pending());
            StoredVolume made = volumes.volume(volumes.birth("pvc-a"), Access.CLOSED);
            exporter.export(made, TestWork.patient());
            StoredVolume volume = recorded(volumes, made, nodes(1, 2));

            exporter.revocation().orElseThrow().revoke(volume, nodes(2, 2), TestWork.patient());

            assertThat(NfsSubject.letIn(box, made))
                    .contains(new TreeMap<>(nodes(2, 2).initiators()));
        }
    }
}
