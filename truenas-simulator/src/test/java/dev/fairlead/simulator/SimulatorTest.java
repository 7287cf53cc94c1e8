package dev.fairlead.simulator;

import static dev.fairlead.simulator.engine.JsonTools.array;
import static dev.fairlead.simulator.engine.JsonTools.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.profile.Profile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulatorTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"V25_04", "V25_10_0", "V25_10", "V26_BETA", "V26"})
    void a_volume_and_its_share_live_by_json_rpc(Profile profile) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a", "refquota", 1L << 30));
            JsonObject share = client.result(
                            "sharing.nfs.create", object("path", "/mnt/tank/a", "hosts", array("10.0.0.1")))
                    .getAsJsonObject();
            client.result("pool.dataset.update", "tank/a", object("refquota", 2L << 30));
            JsonObject dataset =
                    client.result("pool.dataset.get_instance", "tank/a").getAsJsonObject();
            client.result("sharing.nfs.delete", share.get("id"));
            client.result("pool.dataset.delete", "tank/a", object("recursive", false));

            assertThat(dataset.getAsJsonObject("refquota").get("rawvalue").getAsString())
                    .isEqualTo("2147483648");
            assertThat(client.result("pool.dataset.query", array(array("id", "^", "tank/"))))
                    .isEqualTo(array());
            assertThat(client.result("sharing.nfs.query")).isEqualTo(array());
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"SCALE_24_10", "V25_04", "V25_10_0", "V25_10"})
    void a_volume_and_its_share_live_by_urls(Profile profile) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = new Client(box)) {
            client.restResult(
                    "POST",
                    "/pool/dataset",
                    "{\"name\":\"tank/a\",\"type\":\"VOLUME\",\"volsize\":1048576,\"sparse\":true}");
            client.restResult("PUT", "/pool/dataset/id/tank%2Fa", "{\"volsize\":2097152}");
            JsonObject dataset =
                    client.restResult("GET", "/pool/dataset/id/tank%2Fa/", "").getAsJsonObject();
            client.restResult("DELETE", "/pool/dataset/id/tank%2Fa", "{\"recursive\":true,\"force\":true}");

            assertThat(dataset.getAsJsonObject("volsize").get("parsed").getAsLong())
                    .isEqualTo(2L << 20);
            assertThat(client.rest("GET", "/pool/dataset/id/tank%2Fa", "").statusCode())
                    .isEqualTo(404);
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"V26_BETA", "V26", "V27"})
    void urls_are_gone_since_26(Profile profile) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = new Client(box)) {
            assertThat(client.rest("GET", "/system/version", "").statusCode()).isEqualTo(404);
            assertThat(client.http("GET", box.url() + "/api/versions", "", "").body())
                    .contains("v26.0.0");
        }
    }

    @Test
    void what_was_made_is_there_after_a_restart_and_an_upgrade() {
        try (Simulator box = Simulator.start(Profile.V25_04, folder)) {
            try (Client client = Client.root(box)) {
                client.result("pool.dataset.create", object("name", "tank/a"));
            }
            box.restart();
            box.upgrade(Profile.V26);

            try (Client client = Client.root(box)) {
                assertThat(client.result("system.version")).isEqualTo(new JsonPrimitive("TrueNAS-26.0.0-RC.1"));
                assertThat(client.result(
                                "pool.dataset.query", Client.filter("id", "=", "tank/a"), object("count", true)))
                        .isEqualTo(new JsonPrimitive(1));
            }
        }
    }
}
