package dev.fairlead.adapter.linstor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.application.port.out.placement.SavedVolume;
import dev.fairlead.application.port.out.placement.SavedVolumes;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What LINSTOR's affinity controller has kept in LINSTOR's properties. */
class SavedVolumesTest {
    private static final String DEFINITIONS = "/v1/resource-definitions/";

    @TempDir
    private Path folder;

    @Test
    void what_is_kept_is_found_on_either_kind_of_definition_and_removed() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                SavedVolumes saved = cluster.saved()) {
            cluster.resource("plain", "vol-1", "node-1");
            cluster.resource("plain", "vol-2", "node-1");
            cluster.resource("plain", "vol-3", "node-1");
            assertThat(saved.all()).isEmpty();

            keep(cluster, "vol-1/volume-definitions/0", "one");
            keep(cluster, "vol-2", "two");
            assertThat(saved.all())
                    .extracting(SavedVolume::resource, SavedVolume::text, SavedVolume::handles)
                    .containsExactlyInAnyOrder(
                            tuple("vol-1", "one", Set.of("vol-1", "vol-1/0")),
                            tuple("vol-2", "two", Set.of("vol-2", "vol-2/0")));

            for (SavedVolume one : saved.all()) {
                assertThat(one.driver()).isEqualTo("linstor.csi.linbit.com");
                assertThat(saved.remove(one)).isTrue();
                assertThat(saved.remove(one)).isTrue();
            }
            assertThat(saved.all()).isEmpty();
        }
    }

    @Test
    void the_newer_one_comes_first_if_a_migration_was_cut() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                SavedVolumes saved = cluster.saved()) {
            cluster.resource("plain", "vol-1", "node-1");
            keep(cluster, "vol-1", "old");
            keep(cluster, "vol-1/volume-definitions/0", "new");

            List<SavedVolume> first = saved.all();
            assertThat(first).extracting(SavedVolume::text).containsExactly("new");
            assertThat(saved.remove(first.getFirst())).isTrue();
            assertThat(saved.all()).extracting(SavedVolume::text).containsExactly("old");
        }
    }

    @Test
    void what_was_written_anew_is_not_removed_and_what_is_gone_is() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                SavedVolumes saved = cluster.saved()) {
            cluster.resource("plain", "vol-1", "node-1");
            keep(cluster, "vol-1/volume-definitions/0", "one");
            SavedVolume seen = saved.all().getFirst();
            keep(cluster, "vol-1/volume-definitions/0", "two");

            assertThat(saved.remove(seen)).isFalse();
            assertThat(saved.all()).extracting(SavedVolume::text).containsExactly("two");

            assertThat(saved.remove(new SavedVolume("d", Set.of("gone"), "gone", "where it was", "one")))
                    .isTrue();
        }
    }

    @Test
    void a_removal_that_fails_is_not_repeated_without_another_look() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                SavedVolumes saved = cluster.saved()) {
            cluster.resource("plain", "vol-1", "node-1");
            keep(cluster, "vol-1/volume-definitions/0", "one");
            SavedVolume seen = saved.all().getFirst();
            cluster.simulator().fault("{\"kind\": \"wordless\", \"on\": \"PUT\", \"times\": 1}");

            assertThatThrownBy(() -> saved.remove(seen)).isInstanceOf(StorageException.class);

            assertThat(saved.remove(seen)).isTrue();
        }
    }

    @Test
    void a_controller_that_is_away_is_a_failure_and_not_an_empty_list() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                SavedVolumes saved = cluster.saved()) {
            cluster.simulator().fault("{\"kind\": \"half-text\", \"on\": \"GET /v1/resource-definitions\"}");
            assertThatThrownBy(saved::all).isInstanceOf(StorageException.class);
        }
    }

    private static void keep(LinstorCluster cluster, String owner, String text) throws Exception {
        cluster.call(
                "PUT",
                DEFINITIONS + owner,
                "{\"override_props\": {\"Aux/affinity-updater-saved-pv\": \"" + text + "\"}}");
    }
}
