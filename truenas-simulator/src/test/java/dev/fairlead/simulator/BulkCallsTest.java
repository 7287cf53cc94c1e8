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
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What core.bulk does with a list of calls. */
class BulkCallsTest {
    @TempDir
    private Path folder;

    private static JsonObject bulk(Client client, String method, JsonElement... calls) {
        return client.job(client.result("core.bulk", method, array((Object[]) calls)));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"V25_04", "V25_10", "V26"})
    void each_call_is_made_whatever_became_of_the_one_before(Profile profile) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));

            JsonObject job = bulk(client, "pool.dataset.delete", array("tank/x"), array("tank/a"));

            JsonObject refused =
                    object("result", JsonNull.INSTANCE, "error", "[ENOENT] None: PoolDataset tank/x does not exist");
            JsonObject done = object("result", true, "error", JsonNull.INSTANCE);
            if (profile.since(Profile.V25_10_0)) {
                refused.add("job_id", JsonNull.INSTANCE);
                done.add("job_id", JsonNull.INSTANCE);
            }
            assertThat(job.get("state")).isEqualTo(new JsonPrimitive("SUCCESS"));
            assertThat(job.get("result")).isEqualTo(array(refused, done));
            assertThat(box.dump().getAsJsonObject("dataset").keySet()).containsExactly("tank");
        }
    }

    @Test
    void a_job_is_awaited_and_named() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));

            JsonObject job = bulk(
                    client,
                    "filesystem.setperm",
                    array(object("path", "/mnt/tank/a", "mode", "0777")),
                    array(object("path", "/mnt/tank/x", "mode", "0777")));

            assertThat(job.getAsJsonArray("result").get(0).getAsJsonObject())
                    .isEqualTo(object("job_id", 2, "result", JsonNull.INSTANCE, "error", JsonNull.INSTANCE));
            assertThat(job.getAsJsonArray("result").get(1).getAsJsonObject().get("error"))
                    .isNotEqualTo(JsonNull.INSTANCE);
        }
    }

    @Test
    void nobody_makes_by_a_list_what_he_may_not() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client root = Client.root(box)) {
            root.result("pool.dataset.create", object("name", "tank/a"));
            box.user("reader", "secret", Set.of("READONLY_ADMIN"));
            try (Client reader = new Client(box).open("/api/current")) {
                reader.result("auth.login", "reader", "secret");
                JsonObject job = bulk(reader, "pool.dataset.delete", array("tank/a"));

                assertThat(job.get("error")).isEqualTo(new JsonPrimitive("[EPERM] Not authorized"));
                assertThat(job.get("state")).isEqualTo(new JsonPrimitive("FAILED"));
            }
            assertThat(bulk(root, "pool.dataset.burn").get("error"))
                    .isEqualTo(new JsonPrimitive("[ENOMETHOD] Method 'burn' not found in 'pool.dataset'"));
        }
    }
}
