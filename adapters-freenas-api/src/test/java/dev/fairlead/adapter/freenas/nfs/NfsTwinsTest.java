package dev.fairlead.adapter.freenas.nfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.export.ExportedVolumes;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A second share of a closed volume's path that is off: a call that was cut has made it late. */
class NfsTwinsTest {
    private static final Grants ONE =
            Grants.NONE.with(new Grant("node-1", "10.0.0.1", false, AccessMode.MULTI_NODE_MULTI_WRITER, false));

    @TempDir
    private Path folder = Path.of("/nowhere");

    /** Makes a share of a volume again, off, as the box does late. */
    private static void addTwin(SimulatedBox box) {
        JsonObject twin = box.shares().getFirst().deepCopy();
        twin.addProperty("enabled", false);
        box.put("nfs_share", twin);
        assertThat(box.shares()).hasSize(2);
    }

    private static FreenasNfsExporter exporter(SimulatedBox box) {
        return new FreenasNfsExporter(box.client(), NfsSubject.settings(Map.of()), Settled.pending());
    }

    private static ExportedVolumes volumes(SimulatedBox box) {
        return new ExportedVolumes(box, VolumeMedium.Kind.FILESYSTEM);
    }

    private static StoredVolume closed(SimulatedBox box) {
        return volumes(box).volume(volumes(box).birth("pvc-a"), Access.CLOSED);
    }

    private static StoredVolume recorded(SimulatedBox box, StoredVolume volume) {
        volumes(box).record(volume, ONE.text());
        Map<String, String> notes = new HashMap<>(volume.notes());
        notes.putAll(ONE.note());
        return volume.withNotes(notes);
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void goes_with_the_repetition_of_the_creation(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            StoredVolume volume = closed(box);
            exporter(box).export(volume, TestWork.patient());
            addTwin(box);

            exporter(box).export(volume, TestWork.patient());

            assertThat(box.shares()).hasSize(1);
            assertThat(NfsSubject.letIn(box, volume)).contains(new TreeMap<>());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void goes_with_the_next_publication(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            StoredVolume volume = closed(box);
            exporter(box).export(volume, TestWork.patient());
            addTwin(box);

            exporter(box).admit(recorded(box, volume), ONE, TestWork.patient());

            assertThat(box.shares()).hasSize(1);
            assertThat(NfsSubject.letIn(box, volume)).contains(new TreeMap<>(ONE.initiators()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void goes_with_the_last_node(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            StoredVolume volume = recorded(box, closed(box));
            exporter(box).admit(volume, ONE, TestWork.patient());
            addTwin(box);

            exporter(box).revocation().orElseThrow().revoke(volume, Grants.NONE, TestWork.patient());

            assertThat(box.shares()).hasSize(1);
            assertThat(NfsSubject.letIn(box, volume)).contains(new TreeMap<>());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void goes_with_the_volume(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            StoredVolume volume = closed(box);
            exporter(box).export(volume, TestWork.patient());
            addTwin(box);

            exporter(box).unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());

            assertThat(box.shares()).isEmpty();
        }
    }
}
