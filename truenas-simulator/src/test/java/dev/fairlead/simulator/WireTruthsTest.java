package dev.fairlead.simulator;

import static dev.fairlead.simulator.engine.JsonTools.array;
import static dev.fairlead.simulator.engine.JsonTools.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WireTruthsTest {
    @TempDir
    private Path folder;

    @Test
    void before_the_login_only_a_ping_is_answered() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = new Client(box).open("/api/current")) {
            assertThat(client.result("core.ping")).isEqualTo(new JsonPrimitive("pong"));
            assertThat(client.failure("system.version")).isEqualTo("-32001 [ENOTAUTHENTICATED] Not authenticated");
            assertThat(client.failure("no.such")).startsWith("-32601 Method does not exist");
        }
    }

    @Test
    void a_message_is_at_most_64_kilobytes_and_8_before_the_login() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client anonymous = new Client(box).open("/api/current");
                Client client = Client.root(box)) {
            var _ = anonymous.send("core.ping", "x".repeat(9000));
            var _ = client.send("core.ping", "x".repeat(70_000));

            assertThat(anonymous.end()).isEqualTo("1007 Anonymous connection max message length is 8 kB");
            assertThat(client.end()).isEqualTo("1009 Max message length is 64 kB");
        }
    }

    @Test
    void the_twenty_first_call_at_a_time_is_refused() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            box.fault(Fault.at("system.version", new Fault.Hesitant(Duration.ofHours(1)))
                    .always());
            List<CompletableFuture<JsonObject>> calls = new ArrayList<>();
            for (int i = 0; i < 21; i++) calls.add(client.send("system.version"));

            // What is refused is answered in the order of the calls.
            JsonObject next = Client.await(client.send("core.ping"));

            assertThat(calls).filteredOn(CompletableFuture::isDone).containsExactly(calls.getLast());
            assertThat(List.of(next, calls.getLast().join()))
                    .allSatisfy(answer -> assertThat(answer.toString())
                            .contains("-32000")
                            .contains("Maximum number of concurrent calls (20) has exceeded"));
        }
    }

    @Test
    void what_is_no_request_is_told_so_and_a_notification_is_never_answered() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            CompletableFuture<JsonObject> reply = client.send("core.get_jobs");
            Client.await(reply);
            CompletableFuture<JsonObject> batch = client.expectAnonymous("[]");
            assertThat(Client.await(batch).toString()).contains("Batch messages are not supported at this time");
            CompletableFuture<JsonObject> bare = client.expectAnonymous("{\"method\":\"core.ping\",\"id\":null}");
            assertThat(Client.await(bare).toString()).contains("-32600").contains("Missing 'jsonrpc' member");
            client.raw("{\"jsonrpc\":\"2.0\",\"method\":\"pool.dataset.create\",\"params\":[{\"name\":\"tank/n\"}]}");

            assertThat(client.result("core.ping")).isEqualTo(new JsonPrimitive("pong"));
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"V25_04", "V25_10", "V26"})
    void a_right_key_over_plain_text_is_revoked_for_good(Profile profile) {
        try (Simulator box = Simulator.start(profile, folder);
                Client plain = new Client(box).open(URI.create("ws://127.0.0.1:" + box.port() + "/api/current"));
                Client safe = new Client(box).open("/api/current")) {
            assertThat(plain.result("auth.login_with_api_key", box.rootKey())).isEqualTo(new JsonPrimitive(false));

            JsonObject answer = safe.result(
                            "auth.login_ex",
                            object("mechanism", "API_KEY_PLAIN", "username", "root", "api_key", box.rootKey()))
                    .getAsJsonObject();
            assertThat(answer.get("response_type").getAsString()).isEqualTo("EXPIRED");
        }
    }

    @Test
    void a_key_by_urls_is_not_revoked_over_plain_text() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = new Client(box)) {
            HttpResponse<String> plain =
                    client.http("GET", box.plainUrl() + "/api/v2.0/system/version", "", "Bearer " + box.rootKey());

            assertThat(plain.statusCode()).isEqualTo(200);
            assertThat(client.rest("GET", "/system/version/", "").body()).isEqualTo("\"TrueNAS-25.10.6\"");
        }
    }

    @Test
    void the_redirection_to_tls_is_a_307_of_the_same_address() {
        try (Simulator box = Simulator.start(
                        Profile.V25_10, folder, SimulatorSettings.standard().redirecting());
                Client client = new Client(box)) {
            HttpResponse<String> answer =
                    client.http("POST", box.plainUrl() + "/api/v2.0/pool/dataset?x=1", "{}", "Bearer x");

            assertThat(answer.statusCode()).isEqualTo(307);
            assertThat(answer.headers().firstValue("Location"))
                    .contains("https://127.0.0.1:" + box.port() + "/api/v2.0/pool/dataset?x=1");
        }
    }

    @Test
    void a_role_that_is_missing_is_a_refusal_by_both_ways() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = new Client(box).open("/api/current")) {
            box.user("csi", "secret", Set.of("SHARING_ADMIN"));
            String key = box.key("csi");
            client.result("auth.login_ex", object("mechanism", "API_KEY_PLAIN", "username", "csi", "api_key", key));
            client.result("pool.dataset.create", object("name", "tank/a"));

            assertThat(client.failure("pool.dataset.delete", "tank/a")).isEqualTo("-32001 [EACCES] Not authorized");
            assertThat(client.http("DELETE", box.url() + "/api/v2.0/pool/dataset/id/tank%2Fa", "", "Bearer " + key)
                            .statusCode())
                    .isEqualTo(403);
            assertThat(client.http("GET", box.url() + "/api/v2.0/pool", "", "Bearer 1-wrong")
                            .body())
                    .isEqualTo("Invalid API key");
        }
    }

    @Test
    void a_key_that_is_deleted_ends_the_session_that_it_opened() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            box.deleteKey(box.rootKey());

            assertThat(client.failure("system.version")).contains("ENOTAUTHENTICATED");
        }
    }

    @Test
    void the_twenty_first_login_of_a_minute_is_refused() {
        try (Simulator box = Simulator.start(
                        Profile.V25_10, folder, SimulatorSettings.standard().limited());
                Client client = new Client(box).open("/api/current")) {
            for (int i = 0; i < 20; i++) client.result("auth.login_with_api_key", "1-wrong");

            assertThat(client.failure("auth.login_with_api_key", "1-wrong"))
                    .isEqualTo("-32001 [EBUSY] Rate Limit Exceeded");
        }
    }

    @Test
    void a_key_is_proved_by_scram_on_26_and_stays_at_home() throws GeneralSecurityException {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = new Client(box).open("/api/current")) {
            String first = "n=root:1,r=" + Base64.getEncoder().encodeToString(new byte[] {1, 2, 3});
            JsonObject answer = client.result("auth.login_ex", scram("CLIENT_FIRST_MESSAGE", "n,," + first))
                    .getAsJsonObject();
            String server = answer.get("rfc_str").getAsString();
            String unproved = "c=biws," + server.substring(0, server.indexOf(",s="));
            byte[] salt =
                    Base64.getDecoder().decode(server.substring(server.indexOf(",s=") + 3, server.indexOf(",i=")));
            byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
                    .generateSecret(new PBEKeySpec(box.rootKey().substring(2).toCharArray(), salt, 4096, 512))
                    .getEncoded();
            byte[] proof = hmac(salted, "Client Key");
            byte[] mask =
                    hmac(MessageDigest.getInstance("SHA-512").digest(proof), first + "," + server + "," + unproved);
            for (int i = 0; i < proof.length; i++) proof[i] ^= mask[i];
            String last = unproved + ",p=" + Base64.getEncoder().encodeToString(proof);

            JsonObject end = client.result("auth.login_ex", scram("CLIENT_FINAL_MESSAGE", last))
                    .getAsJsonObject();

            assertThat(end.get("rfc_str").getAsString()).startsWith("v=");
            assertThat(client.result("auth.me").getAsJsonObject().get("pw_name").getAsString())
                    .isEqualTo("root");
        }
    }

    private static JsonObject scram(String type, String text) {
        return object("mechanism", "SCRAM", "scram_type", type, "rfc_str", text);
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA512");
        mac.init(new SecretKeySpec(key, "HmacSHA512"));
        return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_silent_socket_is_cut() {
        try (Simulator box = Simulator.start(
                        Profile.V25_10, folder, SimulatorSettings.standard().withIdleCut(Duration.ofMillis(300)));
                Client client = Client.root(box)) {
            assertThat(client.end()).isEqualTo("cut");
        }
    }

    @Test
    void an_older_path_of_a_newer_box_keeps_the_older_shapes() {
        try (Simulator box = Simulator.start(Profile.V27, folder);
                Client client = new Client(box).open("/api/v26.0.0")) {
            assertThat(client.result("auth.login_with_api_key", box.rootKey())).isEqualTo(new JsonPrimitive(true));
            client.result("pool.dataset.create", object("name", "tank/a"));
            client.result("pool.snapshot.create", object("dataset", "tank/a", "name", "s"));
            try (Client newest = new Client(box).open("/api/current")) {
                assertThat(newest.failure("auth.login_with_api_key", box.rootKey()))
                        .startsWith("-32601");
            }
            assertThatThrownBy(() -> new Client(box).open("/api/v31.0.0"))
                    .hasMessageContaining("WebSocketHandshakeException");
        }
    }

    @Test
    void urls_refuse_what_they_do_not_expect_in_the_vendor_s_words() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = new Client(box)) {
            assertThat(client.rest("POST", "/service/reload", "{\"service\":\"nfs\",\"service-control\":{}}")
                            .body())
                    .contains("The following attributes are not expected: service-control");
            assertThat(client.rest("POST", "/pool/dataset", "{").body())
                    .contains("json parse error: ")
                    .contains("\"errno\": 22");
            assertThat(client.rest("POST", "/pool/dataset", "{\"name\":\"tank\"}")
                            .body()
                            .replaceAll("\\s", ""))
                    .contains(
                            "{\"pool_dataset_create.name\":[{\"message\":\"Youneedafullname,e.g.pool/newdataset\",\"errno\":22}]}");
            assertThat(client.rest("DELETE", "/pool/dataset/id/tank%2Fx", "")
                            .body()
                            .replaceAll("\\s", ""))
                    .isEqualTo("{\"null\":[{\"message\":\"PoolDatasettank/xdoesnotexist\",\"errno\":2}]}");
            assertThat(client.rest("GET", "/no/such", "").body()).isEqualTo("404: Not Found");
            assertThat(client.rest("GET", "/zfs/snapshot", "").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void urls_select_by_their_query() {
        try (Simulator box = Simulator.start(Profile.SCALE_24_10, folder);
                Client client = new Client(box)) {
            for (String name : List.of("a", "b", "c"))
                client.restResult("POST", "/pool/dataset", "{\"name\":\"tank/" + name + "\"}");

            assertThat(client.restResult("GET", "/pool/dataset?name__in=tank/a,tank/c&sort=-name&limit=1", "")
                            .getAsJsonArray()
                            .get(0)
                            .getAsJsonObject()
                            .get("name")
                            .getAsString())
                    .isEqualTo("tank/c");
            assertThat(client.restResult("GET", "/core/get_jobs?id=77", "")).isEqualTo(array());
            assertThat(client.restResult("POST", "/filesystem/setperm", "{\"path\":\"/mnt/tank/a\",\"mode\":\"0777\"}"))
                    .isEqualTo(new JsonPrimitive(1));
        }
    }

    @Test
    void the_oldest_has_its_own_shares_and_neither_versions_nor_json_rpc() {
        try (Simulator box = Simulator.start(Profile.CORE_13_0, folder);
                Client client = new Client(box)) {
            client.restResult("POST", "/pool/dataset", "{\"name\":\"tank/a\"}");
            JsonObject share = client.restResult(
                            "POST", "/sharing/nfs", "{\"paths\":[\"/mnt/tank/a\"],\"alldirs\":false,\"quiet\":false}")
                    .getAsJsonObject();

            assertThat(share.get("paths")).isEqualTo(array("/mnt/tank/a"));
            assertThat(share.has("path")).isFalse();
            assertThat(client.http("GET", box.url() + "/api/versions", "", "").statusCode())
                    .isEqualTo(404);
            assertThatThrownBy(() -> client.open("/api/current")).hasMessageContaining("WebSocketHandshakeException");
        }
    }

    @Test
    void the_old_socket_answers_calls() {
        try (Simulator box = Simulator.start(Profile.SCALE_24_10, folder);
                Client client = new Client(box).open("/websocket")) {
            CompletableFuture<JsonObject> connected =
                    client.expectAnonymous("{\"msg\":\"connect\",\"version\":\"1\",\"support\":[\"1\"]}");
            assertThat(Client.await(connected).get("msg").getAsString()).isEqualTo("connected");
            CompletableFuture<JsonObject> login = client.expectAnonymous(
                    "{\"msg\":\"method\",\"id\":\"a\",\"method\":\"auth.login\",\"params\":[\"root\",\""
                            + box.rootPassword() + "\"]}");

            assertThat(Client.await(login)).isEqualTo(object("msg", "result", "id", "a", "result", true));
        }
    }
}
