package dev.fairlead.simulator;

import static dev.fairlead.simulator.engine.JsonTools.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.profile.Profile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What pool.dataset.rename does, which boxes have since 25.10. */
class DatasetRenameTest {
    private static final String RENAME = "pool.dataset.rename";

    @TempDir
    private Path folder;

    private static JsonObject to(String name) {
        return object("new_name", name, "force", true);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"V25_10_0", "V25_10", "V26_BETA", "V26"})
    void a_dataset_moves_with_all_below_it_and_with_what_was_cloned(Profile profile) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            client.result("pool.dataset.create", object("name", "tank/a/b"));
            client.result("pool.snapshot.create", object("dataset", "tank/a/b", "name", "s"));
            client.result("pool.snapshot.clone", object("snapshot", "tank/a/b@s", "dataset_dst", "tank/c"));

            client.result(RENAME, "tank/a", to("tank/d"));

            assertThat(box.dump().getAsJsonObject("dataset").keySet())
                    .containsExactly("tank", "tank/c", "tank/d", "tank/d/b");
            assertThat(box.dump().getAsJsonObject("snapshot").keySet()).containsExactly("tank/d/b@s");
            assertThat(client.result("pool.dataset.get_instance", "tank/c")
                            .getAsJsonObject()
                            .getAsJsonObject("origin")
                            .get("rawvalue")
                            .getAsString())
                    .isEqualTo("tank/d/b@s");
            assertThat(client.result("pool.dataset.get_instance", "tank/d/b")
                            .getAsJsonObject()
                            .get("mountpoint")
                            .getAsString())
                    .isEqualTo("/mnt/tank/d/b");
        }
    }

    @Test
    void boxes_before_25_10_have_no_such_method() {
        try (Simulator box = Simulator.start(Profile.V25_04, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));

            assertThat(client.failure(RENAME, "tank/a", to("tank/b"))).startsWith("-32601");
        }
    }

    @Test
    void nothing_is_renamed_without_force() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));

            assertThat(client.failure(RENAME, "tank/a", object("new_name", "tank/b")))
                    .isEqualTo("-32602 [EINVAL] pool.dataset.rename.force: No safety checks are performed when"
                            + " renaming ZFS resources; this may break existing usages. If you understand the risks,"
                            + " please set force and proceed.");
            assertThat(box.dump().getAsJsonObject("dataset").keySet()).contains("tank/a");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "V25_10 | tank/a | tank/b | -32001 [EFAULT] Failed to rename dataset: cannot rename 'tank/a': dataset already exists",
                "V25_10 | tank/x | tank/c | -32001 [ENOENT] Dataset 'tank/x' not found",
                "V25_10 | tank/a | tank/x/c | -32001 [EFAULT] Failed to rename dataset: cannot rename 'tank/a': parent does not exist",
                "V26 | tank/a | tank/b | -32602 [EEXIST] zfs.resource.rename: 'tank/b' already exists",
                "V26 | tank/x | tank/c | -32602 [ENOENT] zfs.resource.rename: 'tank/x' not found",
                "V26 | tank/a@s | tank/a@t | -32602 [EINVAL] zfs.resource.rename: Use `zfs.resource.snapshot.rename` to rename snapshots.",
            })
    void what_cannot_be_renamed_is_refused_in_the_words_of_the_release(
            Profile profile, String from, String name, String reason) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            client.result("pool.dataset.create", object("name", "tank/b"));

            assertThat(client.failure(RENAME, from, to(name))).isEqualTo(reason);
            assertThat(box.dump().getAsJsonObject("dataset").keySet()).containsExactly("tank", "tank/a", "tank/b");
        }
    }

    @Test
    void only_snapshots_are_renamed_with_those_below() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));

            assertThat(client.failure(RENAME, "tank/a", object("new_name", "tank/b", "force", true, "recursive", true)))
                    .isEqualTo("-32602 [EINVAL] zfs.resource.rename: recursive is only valid for snapshots");
        }
    }
}
