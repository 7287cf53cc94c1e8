package dev.fairlead.simulator;

import static dev.fairlead.simulator.engine.JsonTools.array;
import static dev.fairlead.simulator.engine.JsonTools.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.profile.Profile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DatasetTruthsTest {
    private static final long GIB = 1L << 30;
    private static final JsonObject MARK = object("key", "fairlead.dev:mark", "value", "mine");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"V25_10, true", "V26_BETA, false", "V26, true"})
    void only_the_betas_of_26_drop_user_properties_at_creation(Profile profile, boolean kept) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a", "user_properties", array(MARK)));

            assertThat(user(client, "tank/a").has("fairlead.dev:mark")).isEqualTo(kept);
        }
    }

    @ParameterizedTest
    @CsvSource({"V25_10, true", "V26_BETA, false", "V26, false"})
    void the_user_properties_of_a_clone_are_dropped_since_26(Profile profile, boolean kept) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            client.result("pool.snapshot.create", object("dataset", "tank/a", "name", "s"));
            client.result(
                    "pool.snapshot.clone",
                    object(
                            "snapshot",
                            "tank/a@s",
                            "dataset_dst",
                            "tank/b",
                            "dataset_properties",
                            object("fairlead.dev:mark", "mine")));

            assertThat(user(client, "tank/b").has("fairlead.dev:mark")).isEqualTo(kept);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void an_update_whose_reservation_is_refused_sets_the_rest(Profile profile) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            JsonObject change =
                    object("refquota", 1L << 50, "refreservation", 1L << 50, "user_properties_update", array(MARK));

            assertThat(client.failure("pool.dataset.update", "tank/a", change))
                    .contains("size is greater than available space");

            JsonObject after =
                    client.result("pool.dataset.get_instance", "tank/a").getAsJsonObject();
            assertThat(after.getAsJsonObject("refquota").get("parsed")).isEqualTo(new JsonPrimitive(1L << 50));
            assertThat(after.getAsJsonObject("refreservation").get("rawvalue")).isEqualTo(new JsonPrimitive("0"));
            assertThat(user(client, "tank/a").has("fairlead.dev:mark")).isTrue();
        }
    }

    private static JsonObject user(Client client, String name) {
        return client.result("pool.dataset.get_instance", name)
                .getAsJsonObject()
                .getAsJsonObject("user_properties");
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"V26_BETA", "V26"})
    void a_recursive_delete_on_26_destroys_another_volume_that_was_cloned(Profile profile) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            clone(client, profile);

            client.result("pool.dataset.delete", "tank/a", object("recursive", true));

            assertThat(client.result("pool.dataset.query", Client.filter("id", "=", "tank/b")))
                    .isEqualTo(array());
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"V25_04", "V25_10"})
    void a_recursive_delete_before_26_is_refused_for_a_clone_but_has_unshared(Profile profile) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            clone(client, profile);
            client.result("sharing.nfs.create", object("path", "/mnt/tank/a"));

            String reason = client.failure("pool.dataset.delete", "tank/a", object("recursive", true));

            assertThat(reason)
                    .isEqualTo(
                            "-32001 [EFAULT] Failed to delete dataset: cannot destroy 'tank/a': filesystem has dependent clones");
            assertThat(client.result("sharing.nfs.query")).isEqualTo(array());
            assertThat(client.result("pool.dataset.query", Client.filter("id", "^", "tank/"), object("count", true)))
                    .isEqualTo(new JsonPrimitive(2));
        }
    }

    private static void clone(Client client, Profile profile) {
        String snapshots = profile.before(Profile.V25_10_0) ? "zfs.snapshot" : "pool.snapshot";
        client.result("pool.dataset.create", object("name", "tank/a"));
        client.result(snapshots + ".create", object("dataset", "tank/a", "name", "s"));
        client.result(snapshots + ".clone", object("snapshot", "tank/a@s", "dataset_dst", "tank/b"));
    }

    @Test
    void a_delete_that_26_refuses_for_snapshots_has_unshared() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            clone(client, Profile.V26);
            client.result("sharing.nfs.create", object("path", "/mnt/tank/a"));

            String reason = client.failure("pool.dataset.delete", "tank/a");

            assertThat(reason)
                    .isEqualTo(
                            "-32602 [ENOTEMPTY] zfs.resource.destroy: 'tank/a' has snapshots. Set recursive=True to remove them.");
            assertThat(client.result("sharing.nfs.query")).isEqualTo(array());
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"V25_04", "V25_10", "V26"})
    void what_cannot_be_made_is_refused_in_the_vendor_s_words(Profile profile) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            client.result("pool.dataset.create", volume("tank/v", GIB));

            assertThat(client.failure("pool.dataset.create", object("name", "tank/a")))
                    .isEqualTo("-32602 [EINVAL] pool_dataset_create.name: Path /mnt/tank/a already exists\n");
            assertThat(client.failure("pool.dataset.create", object("name", "tank/no/a")))
                    .contains("Parent dataset (tank/no) does not exist.");
            assertThat(client.failure("pool.dataset.create", object("name", "nope/a")))
                    .contains("zpool (nope) does not exist.");
            assertThat(client.failure("pool.dataset.create", volume("tank/v", GIB)))
                    .startsWith("-32001 [EFAULT] Failed to create dataset")
                    .endsWith("dataset already exists");
            assertThat(client.failure("pool.dataset.create", volume("tank/w", GIB + 1)))
                    .contains("Volume size should be a multiple of volume block size");
            assertThat(client.failure("pool.dataset.create", volume("tank/w", 1L << 40)))
                    .contains("It is not recommended to use more than 80% of your available space for VOLUME");
            assertThat(client.failure("pool.dataset.update", "tank/v", object("volsize", GIB / 2)))
                    .contains("You cannot shrink a zvol from GUI, this may lead to data loss.");
            assertThat(client.failure("pool.dataset.update", "tank/x", object("comments", "y")))
                    .startsWith("-32602 [")
                    .contains("does not exist");
            assertThat(client.failure("pool.dataset.delete", "tank/x"))
                    .isEqualTo("-32602 [ENOENT] None: PoolDataset tank/x does not exist");
            assertThat(client.failure("pool.dataset.delete", "tank")).contains("filesystem has children");
        }
    }

    private static JsonObject volume(String name, long size) {
        return object("name", name, "type", "VOLUME", "volsize", size, "sparse", true);
    }

    @Test
    void a_volume_with_missing_parents_fails_on_26_after_it_was_made() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            JsonObject volume = volume("tank/p/v", GIB);
            volume.addProperty("create_ancestors", true);

            String reason = client.failure("pool.dataset.create", volume);

            assertThat(reason).startsWith("-32001 ");
            assertThat(client.result("pool.dataset.get_instance", "tank/p/v").isJsonObject())
                    .isTrue();
        }
    }

    /** From 25.10 on a box does not tell of whom a property of users is. */
    @ParameterizedTest
    @CsvSource({"V25_04, INHERITED, tank/a", "V25_10_0, LOCAL, ''", "V25_10, LOCAL, ''", "V26, LOCAL, ''"})
    void children_inherit_properties_of_users_and_of_the_system(Profile profile, String source, String from) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            client.result(
                    "pool.dataset.create",
                    object("name", "tank/a", "compression", "ZSTD", "user_properties", array(MARK)));
            JsonObject child = client.result("pool.dataset.create", object("name", "tank/a/b"))
                    .getAsJsonObject();

            assertThat(child.getAsJsonObject("compression").get("source").getAsString())
                    .isEqualTo("INHERITED");
            JsonObject mark = child.getAsJsonObject("user_properties").getAsJsonObject("fairlead.dev:mark");
            assertThat(mark.get("source").getAsString()).isEqualTo(source);
            assertThat(mark.get("source_info")).isEqualTo(from.isEmpty() ? JsonNull.INSTANCE : new JsonPrimitive(from));
        }
    }

    @Test
    void space_is_what_the_pool_the_quotas_and_the_reservations_leave() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            long before = available(client, "tank");
            client.result("pool.dataset.create", object("name", "tank/thick", "type", "VOLUME", "volsize", 10 * GIB));
            client.result("pool.dataset.create", object("name", "tank/q", "refquota", 5 * GIB));

            assertThat(before - available(client, "tank")).isGreaterThanOrEqualTo(10 * GIB);
            assertThat(available(client, "tank/q")).isBetween(4 * GIB, 5 * GIB);
        }
    }

    private static long available(Client client, String name) {
        return client.result("pool.dataset.get_instance", name)
                .getAsJsonObject()
                .getAsJsonObject("available")
                .get("parsed")
                .getAsLong();
    }

    @Test
    void keys_of_user_properties_are_narrow_on_26() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            JsonObject wide = object("key", "Fairlead:Mark", "value", "x");

            assertThat(client.failure("pool.dataset.create", object("name", "tank/a", "user_properties", array(wide))))
                    .contains("pool_dataset_create.user_properties");
        }
    }

    @Test
    void promotion_turns_origin_and_clone_around() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            clone(client, Profile.V26);

            client.result("pool.dataset.promote", "tank/b");

            JsonElement origin = client.result("pool.dataset.get_instance", "tank/a")
                    .getAsJsonObject()
                    .getAsJsonObject("origin")
                    .get("rawvalue");
            assertThat(origin.getAsString()).isEqualTo("tank/b@s");
            client.result("pool.dataset.delete", "tank/a");
        }
    }

    @Test
    void one_query_of_resources_reads_children_with_marks_and_size() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a", "user_properties", array(MARK)));

            JsonElement rows = client.result(
                    "zfs.resource.query",
                    object(
                            "paths",
                            array("tank"),
                            "get_children",
                            true,
                            "get_user_properties",
                            true,
                            "properties",
                            array("used")));

            JsonObject child = rows.getAsJsonArray().get(1).getAsJsonObject();
            assertThat(child.getAsJsonObject("user_properties")
                            .get("fairlead.dev:mark")
                            .getAsString())
                    .isEqualTo("mine");
            assertThat(child.getAsJsonObject("properties").keySet()).containsExactly("used");
        }
    }
}
