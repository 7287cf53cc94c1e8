package dev.fairlead.zfs.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetNameTest {
    @Test
    void takes_a_name_apart() {
        var name = new DatasetName("tank/k8s/pvc-1");

        assertThat(name.leaf()).isEqualTo("pvc-1");
        assertThat(name.pool()).isEqualTo("tank");
        assertThat(name.parent()).contains(new DatasetName("tank/k8s"));
        assertThat(new DatasetName("tank").parent()).isEmpty();
        assertThat(name.snapshot("daily")).hasToString("tank/k8s/pvc-1@daily");
        assertThat(SnapshotName.of("tank/k8s/pvc-1@daily")).contains(name.snapshot("daily"));
    }

    @Test
    void tells_what_lies_below_what() {
        var parent = new DatasetName("tank/v");

        assertThat(new DatasetName("tank/v/pvc-1").isBelow(parent)).isTrue();
        assertThat(new DatasetName("tank/v2").overlaps(parent)).isFalse();
        assertThat(new DatasetName("tank").overlaps(parent)).isTrue();
        assertThat(parent.overlaps(parent)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/tank",
                "tank/",
                "tank//a",
                "tank/../etc",
                "tank/.",
                "1tank/a",
                "tank/a b ",
                "tank/-o",
                "tank/a@b",
                "tank/a#b",
                "tank/a%",
                "tank/$(id)",
                "tank/a;b",
                "tank/a'b",
                "tank/a\nb",
                "tank/ä"
            })
    void refuses_what_zfs_or_a_shell_would_read_otherwise(String name) {
        assertThat(DatasetName.of(name)).isEmpty();
        assertThatThrownBy(() -> new DatasetName(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refuses_a_name_that_is_too_long_as_a_whole() {
        var long_ = new DatasetName("tank/" + "a".repeat(249));

        assertThat(long_.value()).hasSize(254);
        assertThatThrownBy(() -> long_.child("b")).hasMessageContaining("255");
        assertThat(SnapshotName.of(long_ + "@s")).isEmpty();
    }
}
