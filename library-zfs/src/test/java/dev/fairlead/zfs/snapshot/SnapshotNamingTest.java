package dev.fairlead.zfs.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotNamingTest {
    private static boolean matches(String wanted, String name) {
        return Pattern.compile(SnapshotNaming.pattern(wanted)).matcher(name).matches();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "snap-1",
                "snap.1",
                "snapshot-0a1b2c3d-4e5f-6789-abcd-ef0123456789",
                "a name with blanks",
                "a/b@c",
                "volume-source-for-volume-pvc-1",
                "...",
                "an-id-that-is-shortened--0123456789abcdefghijklmnop"
            })
    void every_name_that_a_snapshot_gets_is_found_by_the_pattern(String wanted) {
        for (String stem : List.of(wanted, wanted + "x".repeat(120 - wanted.length()))) {
            for (int length = 1; length < 90; length += 7) {
                var volume = new NativeId("v".repeat(length));
                String name = SnapshotNaming.name(new CsiName(stem), volume, new DatasetName("tank/v/" + volume), 100)
                        .name();

                assertThat(matches(stem, name)).as("%s of %s", name, stem).isTrue();
                assertThat(matches(SnapshotNaming.group(new CsiName(stem), 100).value(), name))
                        .as("%s of the group %s", name, stem)
                        .isTrue();
            }
        }
    }

    @Test
    void a_plain_name_finds_no_other() {
        assertThat(matches("snap.1", "snapx1")).isFalse();
        assertThat(matches("snap-1", "snap-10")).isFalse();
        assertThat(matches("snap-1", "my-snap-1")).isFalse();
    }

    @Test
    void a_peers_snapshot_is_found_by_its_own_name_whatever_that_is() {
        assertThat(matches("volume-source-for-volume-pvc-1", "volume-source-for-volume-pvc-1"))
                .isTrue();
    }

    @Test
    void the_name_of_a_groups_snapshots_fits_into_the_longest_id() {
        String name = DatasetLayout.groupName(new NativeId("group-1"), "x");

        assertThat(name).hasSizeLessThanOrEqualTo("snapshot-0a1b2c3d-4e5f-6789-abcd-ef0123456789".length());
        assertThat(name).startsWith(DatasetLayout.groupPrefix(new NativeId("group-1")));
        assertThat(name).isNotEqualTo(DatasetLayout.groupName(new NativeId("group-1"), "y"));
        assertThat(DatasetLayout.isHelperName(name)).isTrue();
    }
}
