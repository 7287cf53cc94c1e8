package dev.fairlead.simulator;

import static dev.fairlead.simulator.engine.JsonTools.array;
import static dev.fairlead.simulator.engine.JsonTools.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.profile.Profile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotTruthsTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "V25_04 | zfs  | -32001 [EEXIST] Failed to snapshot tank/a@s: cannot create snapshot 'tank/a@s': dataset already exists",
                "V25_10 | pool | -32001 [EEXIST] Failed to snapshot tank/a@s: cannot create snapshot 'tank/a@s': dataset already exists",
                "V26    | pool | -32602 [EEXIST] pool.snapshot.create: s already exists."
            })
    void a_second_snapshot_of_a_name_is_refused_in_the_words_of_the_release(
            Profile profile, String space, String words) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            client.result(space + ".snapshot.create", object("dataset", "tank/a", "name", "s"));

            assertThat(client.failure(space + ".snapshot.create", object("dataset", "tank/a", "name", "s")))
                    .isEqualTo(words);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "V25_10 | -32602 [EINVAL] options.defer: Please set this attribute as 'tank/a@s' snapshot has dependent clones: tank/b",
                "V26    | -32602 [EBUSY] pool.snapshot.delete: 'tank/a@s' has the following clones: tank/b"
            })
    void a_deferred_snapshot_goes_with_its_last_clone(Profile profile, String words) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            client.result("pool.snapshot.create", object("dataset", "tank/a", "name", "s"));
            client.result("pool.snapshot.clone", object("snapshot", "tank/a@s", "dataset_dst", "tank/b"));

            assertThat(client.failure("pool.snapshot.delete", "tank/a@s").strip())
                    .isEqualTo(words.strip());
            client.result("pool.snapshot.delete", "tank/a@s", object("defer", true));
            assertThat(count(client)).isEqualTo(1);
            client.result("pool.dataset.delete", "tank/b");
            assertThat(count(client)).isZero();
        }
    }

    private static int count(Client client) {
        return client.result("pool.snapshot.query", array(), object("count", true))
                .getAsInt();
    }

    @ParameterizedTest
    @CsvSource({"V25_10, true", "V26, false"})
    void only_before_26_a_query_shows_user_properties_and_an_update_changes_them(Profile profile, boolean shown) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            client.result(
                    "pool.snapshot.create", object("dataset", "tank/a", "name", "s", "properties", object("f:a", "1")));
            client.result(
                    "pool.snapshot.update",
                    "tank/a@s",
                    object("user_properties_update", array(object("key", "f:b", "value", "2"))));

            JsonObject properties = client.result("pool.snapshot.get_instance", "tank/a@s")
                    .getAsJsonObject()
                    .getAsJsonObject("properties");

            assertThat(properties.has("f:a")).isEqualTo(shown);
            assertThat(properties.has("f:b")).isEqualTo(shown);
        }
    }

    @Test
    void the_newer_query_shows_user_properties_on_26() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            client.result(
                    "zfs.resource.snapshot.create",
                    object("dataset", "tank/a", "name", "s", "user_properties", object("f:a", "1")));

            JsonObject row = client.result(
                            "zfs.resource.snapshot.query",
                            object("paths", array("tank/a"), "get_user_properties", true))
                    .getAsJsonArray()
                    .get(0)
                    .getAsJsonObject();

            assertThat(row.getAsJsonObject("user_properties")).isEqualTo(object("f:a", "1"));
            assertThat(client.failure("zfs.resource.snapshot.query", object("paths", array("tank/x"))))
                    .endsWith("'tank/x' not found");
        }
    }

    @Test
    void a_group_is_one_moment_and_fails_after_the_effect_without_its_parent() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            for (String name : new String[] {"tank/p", "tank/p/a", "tank/p/b", "tank/p/c"})
                client.result("pool.dataset.create", object("name", name));
            JsonObject group =
                    object("dataset", "tank/p", "name", "g", "recursive", true, "exclude", array("tank/p/c"));

            client.result("zfs.resource.snapshot.create", group);
            group.add("exclude", array("tank/p", "tank/p/c"));
            group.addProperty("name", "h");

            assertThat(client.failure("zfs.resource.snapshot.create", group)).contains("not found");
            assertThat(count(client)).isEqualTo(5);
            assertThat(client.failure(
                            "pool.snapshot.create",
                            object(
                                    "dataset",
                                    "tank/p",
                                    "name",
                                    "i",
                                    "recursive",
                                    true,
                                    "exclude",
                                    array("tank/p/c"),
                                    "properties",
                                    object("f:a", "1"))))
                    .contains("snapshot_create.properties");
        }
    }

    @Test
    void a_replication_makes_a_copy_that_depends_on_nothing_and_has_no_marks() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            client.result(
                    "pool.dataset.create",
                    object("name", "tank/a", "user_properties", array(object("key", "f:a", "value", "1"))));
            client.result("pool.snapshot.create", object("dataset", "tank/a", "name", "s"));
            JsonObject order = object(
                    "direction",
                    "PUSH",
                    "transport",
                    "LOCAL",
                    "source_datasets",
                    array("tank/a"),
                    "target_dataset",
                    "tank/b",
                    "recursive",
                    false,
                    "retention_policy",
                    "NONE",
                    "name_regex",
                    "^s$",
                    "readonly",
                    "IGNORE",
                    "properties",
                    false,
                    "only_from_scratch",
                    true);

            JsonObject job = client.job(client.result("replication.run_onetime", order));
            JsonObject again = client.job(client.result("replication.run_onetime", order));

            assertThat(job.get("state")).isEqualTo(new JsonPrimitive("SUCCESS"));
            assertThat(again.get("error"))
                    .isEqualTo(new JsonPrimitive("[EFAULT] Target dataset 'tank/b' already exists."));
            JsonObject copy =
                    client.result("pool.dataset.get_instance", "tank/b").getAsJsonObject();
            assertThat(copy.getAsJsonObject("user_properties")).isEqualTo(new JsonObject());
            assertThat(copy.getAsJsonObject("origin").get("value")).isEqualTo(JsonNull.INSTANCE);
        }
    }

    @Test
    void a_hold_keeps_a_snapshot() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            client.result("pool.snapshot.create", object("dataset", "tank/a", "name", "s"));
            client.result("pool.snapshot.hold", "tank/a@s");

            assertThat(client.failure("pool.snapshot.delete", "tank/a@s", object("defer", true)))
                    .contains("EBUSY");
            client.result("pool.snapshot.release", "tank/a@s");
            client.result("pool.snapshot.delete", "tank/a@s");
        }
    }
}
