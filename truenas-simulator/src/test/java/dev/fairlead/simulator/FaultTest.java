package dev.fairlead.simulator;

import static dev.fairlead.simulator.engine.JsonTools.array;
import static dev.fairlead.simulator.engine.JsonTools.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultTest {
    @TempDir
    private Path folder;

    @Test
    void a_cut_comes_before_the_effect_or_after_it() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder)) {
            box.fault(Fault.at("pool.dataset.create", new Fault.CutBefore()).having("tank/before"));
            box.fault(Fault.at("pool.dataset.create", new Fault.CutAfter()).having("tank/after"));

            assertThat(cut(box, "tank/before")).isFalse();
            assertThat(cut(box, "tank/after")).isTrue();
        }
    }

    private static boolean cut(Simulator box, String name) {
        try (Client client = Client.root(box)) {
            assertThatThrownBy(() -> client.call("pool.dataset.create", object("name", name)))
                    .hasMessageContaining("cut");
        }
        return exists(box, name);
    }

    private static boolean exists(Simulator box, String name) {
        return box.dump().getAsJsonObject("dataset").has(name);
    }

    @ParameterizedTest
    @CsvSource({"V25_10, true", "V26, false"})
    void a_call_that_was_cut_takes_effect_later_only_before_26(Profile profile, boolean effect)
            throws InterruptedException {
        try (Simulator box = Simulator.start(profile, folder)) {
            box.fault(Fault.at("pool.dataset.create", new Fault.Late(Duration.ofMillis(300))));

            assertThat(cut(box, "tank/late")).isFalse();

            for (int i = 0; i < 30 && !exists(box, "tank/late"); i++) Thread.sleep(50);
            assertThat(exists(box, "tank/late")).isEqualTo(effect);
        }
    }

    @ParameterizedTest
    @CsvSource({"V25_10, true", "V26, false"})
    void a_call_that_was_cut_stops_between_two_of_its_steps_only_from_26_on(Profile profile, boolean whole) {
        try (Simulator box = Simulator.start(profile, folder)) {
            try (Client client = Client.root(box)) {
                client.result("pool.dataset.create", object("name", "tank/a"));
                client.result("sharing.nfs.create", object("path", "/mnt/tank/a"));
            }
            box.fault(Fault.at("sharing.nfs.update", new Fault.Stopped(1)));
            box.fault(Fault.at("pool.dataset.delete", new Fault.Stopped(2)));

            cutAt(box, "sharing.nfs.update", 1, object("enabled", false));
            assertThat(box.unloaded().isEmpty()).isEqualTo(whole);
            cutAt(box, "pool.dataset.delete", "tank/a", object());

            assertThat(exists(box, "tank/a")).isEqualTo(!whole);
            assertThat(box.dump().getAsJsonObject("nfs_share").keySet()).isEmpty();
            assertThat(box.unloaded()).isEmpty();
        }
    }

    @Test
    void a_target_whose_call_was_cut_has_no_groups() {
        try (Simulator box = Simulator.start(Profile.V26, folder)) {
            var groups = array(object("portal", 1));
            box.fault(Fault.at("iscsi.target.create", new Fault.Stopped(1)));
            box.fault(Fault.at("iscsi.target.create", new Fault.Stopped(3)).nth(2));

            cutAt(box, "iscsi.target.create", object("name", "one", "groups", groups));
            cutAt(box, "iscsi.target.create", object("name", "whole", "groups", groups));

            assertThat(box.dump().getAsJsonObject("iscsi_target").asMap().values())
                    .extracting(row ->
                            row.getAsJsonObject().get("groups").getAsJsonArray().size())
                    .containsExactly(0, 1);
        }
    }

    private static void cutAt(Simulator box, String method, Object... params) {
        try (Client client = Client.root(box)) {
            assertThatThrownBy(() -> client.call(method, params)).hasMessageContaining("cut");
        }
    }

    @ParameterizedTest
    @CsvSource({"V25_10, true", "V26, false"})
    void a_caller_who_leaves_ends_a_call_that_hesitates_only_on_26(Profile profile, boolean effect) throws Exception {
        try (Simulator box = Simulator.start(profile, folder)) {
            box.fault(Fault.at("pool.dataset.create", new Fault.Hesitant(Duration.ofMillis(600))));
            try (Client client = Client.root(box)) {
                var _ = client.send("pool.dataset.create", object("name", "tank/a"));
                Thread.sleep(150);
            }

            for (int i = 0; i < 40 && !exists(box, "tank/a"); i++) Thread.sleep(50);
            assertThat(exists(box, "tank/a")).isEqualTo(effect);
        }
    }

    @Test
    void a_configuration_that_is_restored_hands_out_numbers_again() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            for (String name : new String[] {"tank/a", "tank/b"})
                client.result("pool.dataset.create", object("name", name));
            JsonObject saved = box.configuration();
            JsonObject first = client.result("sharing.nfs.create", object("path", "/mnt/tank/a"))
                    .getAsJsonObject();

            box.restore(saved);

            JsonObject second = client.result("sharing.nfs.create", object("path", "/mnt/tank/b"))
                    .getAsJsonObject();
            assertThat(second.get("id")).isEqualTo(first.get("id"));
            assertThat(exists(box, "tank/a")).isTrue();
        }
    }

    @Test
    void a_standby_redirects_a_login() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = new Client(box).open("/api/current")) {
            box.fault(Fault.at(
                    "auth.login_ex",
                    new Fault.Result("{\"response_type\":\"REDIRECT\",\"urls\":[\"https://10.0.0.2\"]}")));

            assertThat(client.result(
                                    "auth.login_ex",
                                    object("mechanism", "PASSWORD_PLAIN", "username", "root", "password", "x"))
                            .toString())
                    .contains("REDIRECT");
            assertThat(client.failure("system.version")).contains("ENOTAUTHENTICATED");
        }
    }

    @Test
    void the_nth_call_fails_and_no_other() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            box.fault(Fault.at(
                            "pool.dataset.delete",
                            new Fault.Refusal(16, "Failed to delete dataset: cannot destroy 'tank/a': dataset is busy"))
                    .times(2));
            client.result("pool.dataset.create", object("name", "tank/a"));

            assertThat(client.failure("pool.dataset.delete", "tank/a"))
                    .isEqualTo("-32001 [EBUSY] Failed to delete dataset: cannot destroy 'tank/a': dataset is busy");
            assertThat(client.failure("pool.dataset.delete", "tank/a")).contains("busy");
            assertThat(client.result("pool.dataset.delete", "tank/a")).isEqualTo(new JsonPrimitive(true));
        }
    }

    @Test
    void a_page_comes_with_200_or_with_504_and_a_late_effect() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = new Client(box)) {
            box.fault(Fault.at("system.version", new Fault.Page(200, false)));
            box.fault(Fault.at("pool.dataset.create", new Fault.Page(504, true)));
            box.fault(Fault.at("pool.query", new Fault.Answer(409, "{\"message\": \"conflict\"}")));

            assertThat(client.rest("GET", "/system/version", "").body()).startsWith("<html>");
            assertThat(client.rest("POST", "/pool/dataset", "{\"name\":\"tank/a\"}")
                            .statusCode())
                    .isEqualTo(504);
            assertThat(exists(box, "tank/a")).isTrue();
            assertThat(client.rest("GET", "/pool", "").statusCode()).isEqualTo(409);
        }
    }

    @Test
    void jobs_fail_after_their_effect_and_hang() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            box.fault(Fault.at("filesystem.setperm", new Fault.JobFails("No", true)));
            box.fault(Fault.at("filesystem.setperm", new Fault.JobHangs()).nth(2));
            JsonObject order = object("path", "/mnt/tank/a", "mode", "0750");

            JsonObject failed = client.job(client.result("filesystem.setperm", order));
            client.result("filesystem.setperm", order);

            assertThat(failed.get("error").getAsString()).isEqualTo("[EFAULT] No");
            assertThat(client.result("filesystem.stat", "/mnt/tank/a")
                                    .getAsJsonObject()
                                    .get("mode")
                                    .getAsInt()
                            & 0x1ff)
                    .isEqualTo(0x1e8);
            assertThat(client.result("core.get_jobs", Client.filter("id", "=", 2), object("get", true))
                            .getAsJsonObject()
                            .get("state")
                            .getAsString())
                    .matches("WAITING|RUNNING");
        }
    }

    @Test
    void events_tell_of_jobs_and_are_lost() throws InterruptedException {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            client.result("core.subscribe", "core.get_jobs");
            client.job(client.result("filesystem.setperm", object("path", "/mnt/tank/a", "mode", "0777")));
            for (int i = 0; i < 50 && client.events().size() < 3; i++) Thread.sleep(20);
            int told = client.events().size();
            box.fault(Fault.at("event", new Fault.Lost()).always());
            client.job(client.result("filesystem.setperm", object("path", "/mnt/tank/a", "mode", "0777")));

            assertThat(told).isEqualTo(3);
            assertThat(client.events())
                    .hasSize(3)
                    .last()
                    .satisfies(event -> assertThat(event.getAsJsonObject("params")
                                    .getAsJsonObject("fields")
                                    .get("state")
                                    .getAsString())
                            .isEqualTo("SUCCESS"));
        }
    }

    @Test
    void what_was_journalled_survives_a_kill_in_mid_line() throws IOException {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            Path copy = folder.resolveSibling(folder.getFileName() + "-killed");
            Files.createDirectories(copy);
            for (String file : new String[] {"state.json", "journal"})
                Files.copy(folder.resolve(file), copy.resolve(file));
            Files.writeString(copy.resolve("journal"), "{\"dataset\\ntank/half\":{\"na", StandardOpenOption.APPEND);

            try (Simulator killed = Simulator.start(Profile.V25_10, copy)) {
                assertThat(exists(killed, "tank/a")).isTrue();
                assertThat(exists(killed, "tank/half")).isFalse();
            }
        }
    }

    @Test
    void calls_are_logged_without_secrets() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            client.result("iscsi.auth.create", object("tag", 1, "user", "u", "secret", "abcdefghijkl"));

            assertThat(box.calls().toString())
                    .contains("iscsi.auth.create")
                    .doesNotContain("abcdefghijkl")
                    .doesNotContain(box.rootKey());
        }
    }

    @Test
    void a_box_that_is_down_answers_nothing_until_it_is_up_again() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            box.stop();

            assertThat(client.end()).isEqualTo("cut");
            assertThatThrownBy(() -> Client.root(box)).isInstanceOf(RuntimeException.class);
            box.restart();
            try (Client again = Client.root(box)) {
                assertThat(again.result("pool.query", array(), object("count", true)))
                        .isEqualTo(new JsonPrimitive(1));
            }
        }
    }
}
