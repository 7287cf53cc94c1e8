package dev.fairlead.zfs.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetLayoutTest {
    private static final NativeId PVC = new NativeId("pvc-1");

    private final DatasetLayout layout =
            new DatasetLayout(new DatasetName("tank/v"), Optional.of(new DatasetName("tank/s")));

    @Test
    void a_volume_lies_directly_below_its_parent() {
        assertThat(layout.volume(PVC)).contains(new DatasetName("tank/v/pvc-1"));
        assertThat(layout.volume(new DatasetName("tank/v/pvc-1"))).contains(PVC);
        assertThat(layout.volume(new DatasetName("tank/v"))).isEmpty();
        assertThat(layout.volume(new DatasetName("tank/v/pvc-1/child"))).isEmpty();
        assertThat(layout.volume(new DatasetName("tank/s/pvc-1"))).isEmpty();
    }

    @Test
    void a_snapshots_id_tells_whether_it_is_detached() {
        var plain = new NativeId("pvc-1@snap-1");
        var detached = new NativeId("pvc-1/snap-1");

        assertThat(layout.snapshot(plain))
                .contains(new DatasetLayout.Place.Snapshot(PVC, new DatasetName("tank/v/pvc-1").snapshot("snap-1")));
        assertThat(layout.snapshot(detached))
                .contains(new DatasetLayout.Place.Detached(PVC, new DatasetName("tank/s/pvc-1/snap-1")));
        assertThat(layout.snapshot(new DatasetName("tank/v/pvc-1").snapshot("snap-1")))
                .contains(plain);
        assertThat(new DatasetLayout(layout.parents(), Optional.empty()).snapshot(detached))
                .isEmpty();
    }

    /** Each of them has made a peer destroy the configured parent, or run a command. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "reallyfake",
                "pvc-1/",
                "pvc-1@",
                "@snap",
                "/snap",
                "pvc-1@a@b",
                "pvc-1/a/b",
                "pvc-1@a/b",
                "pvc-1@-r",
                "pvc-1@a%b",
                "a/../b@c"
            })
    void an_id_of_another_form_is_no_snapshots(String id) {
        assertThat(Optional.of(id).filter(NativeId::isValid).map(NativeId::new).flatMap(layout::snapshot))
                .isEmpty();
    }

    @Test
    void helpers_have_the_peers_names_and_are_known_by_them() {
        DatasetName source = new DatasetName("tank/v/pvc-1");
        SnapshotName origin = layout.originFor(source, new NativeId("pvc-2"));

        assertThat(origin).hasToString("tank/v/pvc-1@volume-source-for-volume-pvc-2");
        assertThat(DatasetLayout.isHelper(origin)).isTrue();
        assertThat(DatasetLayout.isHelper(source.snapshot("daily"))).isFalse();
    }

    @Test
    void helpers_of_long_names_are_told_apart_and_known_too() {
        DatasetName source = new DatasetName("tank/v/" + "v".repeat(128));
        SnapshotName one = layout.originFor(source, new NativeId("w".repeat(127) + "1"));
        SnapshotName other = layout.originFor(source, new NativeId("w".repeat(127) + "2"));

        assertThat(one).isNotEqualTo(other);
        assertThat(DatasetLayout.isHelper(one)).isTrue();
    }

    @Test
    void what_is_hidden_tells_its_name_where_its_snapshots_leave_room_for_it() {
        DatasetName volume = new DatasetName("tank/v/" + "v".repeat(120));
        SnapshotName helper = volume.snapshot("h".repeat(125));

        assertThat(DatasetLayout.hidden(volume, "17", List.of()))
                .hasToString("tank/v/fairlead:deleted:17:" + volume.leaf());
        assertThat(DatasetLayout.hidden(volume, "17", List.of(helper))).hasToString("tank/v/fairlead:deleted:17");
    }
}
