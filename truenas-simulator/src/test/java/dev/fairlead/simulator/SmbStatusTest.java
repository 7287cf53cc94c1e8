package dev.fairlead.simulator;

import static dev.fairlead.simulator.engine.JsonTools.array;
import static dev.fairlead.simulator.engine.JsonTools.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.profile.Profile;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Who uses shares of SMB, as a box tells it, and who comes back after a session was ended. */
class SmbStatusTest {
    private static final String STATUS = "smb.status";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static JsonElement share(Client client) {
        client.result("pool.dataset.create", object("name", "tank/a", "share_type", "SMB"));
        return client.result("sharing.smb.create", object("path", "/mnt/tank/a", "name", "A"))
                .getAsJsonObject()
                .get("id");
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_04", "V25_10", "V26_BETA", "V26"})
    void connections_to_a_share_are_told_with_the_address_of_each_host(Profile profile) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            share(client);
            box.connect("A", "10.0.0.1");
            box.connect("other", "10.0.0.2");

            JsonArray told = client.result(STATUS, "SHARES", array(array("service", "C=", "a")))
                    .getAsJsonArray();

            assertThat(told).hasSize(1);
            JsonObject connection = told.get(0).getAsJsonObject();
            assertThat(connection.keySet())
                    .containsExactlyInAnyOrder(
                            "service",
                            "server_id",
                            "tcon_id",
                            "session_id",
                            "machine",
                            "connected_at",
                            "encryption",
                            "signing");
            assertThat(connection.get("machine").getAsString()).isEqualTo("10.0.0.1");
            assertThat(client.result(STATUS, "SESSIONS", array(), object("count", true))
                            .getAsInt())
                    .isEqualTo(2);
        }
    }

    @Test
    void rest_takes_the_arguments_by_their_names() {
        try (Simulator box = Simulator.start(Profile.SCALE_24_10, folder);
                Client client = new Client(box)) {
            box.connect("A", "10.0.0.1");

            JsonElement told = client.restResult(
                    "POST",
                    "/smb/status",
                    object(
                                    "info_level",
                                    "SHARES",
                                    "query-filters",
                                    array(array("service", "C=", "a")),
                                    "query-options",
                                    object("select", array("machine")),
                                    "status_options",
                                    object("resolve_uids", false))
                            .toString());

            assertThat(told).isEqualTo(array(object("machine", "10.0.0.1")));
        }
    }

    @Test
    void core_does_not_tell_it() {
        try (Simulator box = Simulator.start(Profile.CORE_13_0, folder);
                Client client = new Client(box)) {
            assertThat(client.rest("POST", "/smb/status", "{}").statusCode()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "V25_04, SHARING_SMB_WRITE, true",
        "V25_04, SHARING_SMB_READ, false",
        "V25_10, SHARING_SMB_WRITE, false",
        "V26, SHARING_SMB_WRITE, true",
        "V26, SHARING_SMB_READ, true",
        "V26, SHARING_NFS_WRITE, false"
    })
    void each_release_asks_for_its_own_role(Profile profile, String role, boolean may) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = new Client(box).open("/api/current")) {
            box.user("csi", "secret", Set.of(role));
            client.result(
                    "auth.login_ex", object("mechanism", "PASSWORD_PLAIN", "username", "csi", "password", "secret"));

            JsonObject answer = client.call(STATUS, "SHARES");

            assertThat(answer.has("result")).as(answer.toString()).isEqualTo(may);
        }
    }

    @Test
    void the_models_of_26_know_its_arguments() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            assertThat(client.failure(STATUS, "TREES")).contains("info_level");
            assertThat(client.failure(STATUS, "SHARES", array(), object(), object("quick", true)))
                    .contains("status_options.quick: Extra inputs are not permitted");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_04", "V26"})
    void a_host_comes_back_between_the_end_of_its_session_and_the_load_of_the_change(Profile profile) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            JsonElement share = share(client);
            box.connectForEver("A", "10.0.0.1");

            client.result("sharing.smb.update", share, object("enabled", false));
            int back = connections(client);
            client.result("sharing.smb.update", share, shuttingOutAll(profile));
            int stays = connections(client);
            client.result("sharing.smb.update", share, object("enabled", false));
            int ended = connections(client);
            client.result("sharing.smb.update", share, lettingInAll(profile));

            assertThat(back).isEqualTo(1);
            assertThat(stays).isEqualTo(1);
            assertThat(ended).isZero();
            assertThat(connections(client)).isEqualTo(1);
        }
    }

    private static int connections(Client client) {
        return client.result(STATUS, "SHARES").getAsJsonArray().size();
    }

    private static JsonObject shuttingOutAll(Profile profile) {
        JsonObject fields = hosts(profile, array("ALL"));
        fields.addProperty("enabled", true);
        return fields;
    }

    private static JsonObject lettingInAll(Profile profile) {
        JsonObject fields = hosts(profile, array());
        fields.addProperty("enabled", true);
        return fields;
    }

    private static JsonObject hosts(Profile profile, JsonArray denied) {
        return profile.since(Profile.V25_10_0)
                ? object("purpose", "DEFAULT_SHARE", "options", object("hostsdeny", denied))
                : object("hostsdeny", denied);
    }
}
