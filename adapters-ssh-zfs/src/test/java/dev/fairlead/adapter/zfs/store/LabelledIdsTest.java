package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.SnapshotHandle;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.IdPolicy;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.Parents;
import dev.fairlead.zfs.snapshot.SnapshotNaming;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The longest label, and the room that CSI's 128 bytes leave. */
class LabelledIdsTest {
    private static final HandleCodec HANDLES = new HandleCodec.Proxied();
    private static final String LABEL = "l".repeat(Parents.LONGEST_LABEL);
    private static final DatasetLayout LAYOUT = new DatasetLayout(
            new Parents(new DatasetName("tank/v"), Map.of(LABEL, new DatasetName("ssd/v"))), Optional.empty());

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings()
                .alpha()
                .numeric()
                .withChars("-_")
                .ofMinLength(1)
                .ofMaxLength(128)
                .filter(text -> Character.isLetterOrDigit(text.charAt(0)));
    }

    @Provide
    Arbitrary<String> connections() {
        return Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(ConnectionName.COMFORTABLE);
    }

    @Property
    void every_name_has_a_handle_that_leads_back_and_room_for_snapshots(
            @ForAll("names") String name, @ForAll("connections") String connectionName) {
        var connection = new ConnectionName(connectionName);
        int overhead = HANDLES.overhead(connection);
        NativeId plain = IdPolicy.DEFAULT.idFor(new CsiName(name), Map.of(), overhead);
        DatasetName dataset = new DatasetName("ssd/v/" + plain);
        NativeId id = LAYOUT.volume(dataset).orElseThrow();

        String volume = HANDLES.encode(new VolumeHandle(connection, id));
        var snapshotName = SnapshotNaming.name(
                new CsiName("snapshot-01234567-89ab-cdef-0123-456789abcdef"),
                id,
                dataset,
                IdPolicy.MAX_HANDLE_BYTES - overhead);
        String snapshot = HANDLES.encode(new SnapshotHandle(connection, new NativeId(id + "@" + snapshotName.name())));

        assertThat(id).hasToString(LABEL + "." + plain);
        assertThat(volume).hasSizeLessThanOrEqualTo(IdPolicy.MAX_HANDLE_BYTES);
        assertThat(HANDLES.volume(volume))
                .map(VolumeHandle::id)
                .flatMap(LAYOUT::volume)
                .contains(dataset);
        assertThat(snapshot).hasSizeLessThanOrEqualTo(IdPolicy.MAX_HANDLE_BYTES);
        assertThat(HANDLES.snapshot(snapshot))
                .map(SnapshotHandle::id)
                .flatMap(LAYOUT::snapshot)
                .contains(new DatasetLayout.Place.Snapshot(id, snapshotName));
    }
}
