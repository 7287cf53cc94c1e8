package dev.fairlead.simulator;

import static dev.fairlead.simulator.engine.JsonTools.array;
import static dev.fairlead.simulator.engine.JsonTools.object;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.profile.Profile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a box of 26 becomes one whose iSCSI target is LIO, and what it does then. */
class LioTruthsTest {
    private static final String NODE = "iqn.2024-01.dev.fairlead:node";
    private static final String OTHER = "iqn.2024-01.dev.fairlead:other";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static void stopIscsi(Client client) {
        client.job(client.result("service.control", "STOP", "iscsitarget"));
    }

    @Test
    void the_api_of_26_takes_the_modes_of_scst_alone_and_only_while_the_service_is_off() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            assertThat(client.failure("iscsi.global.update", object("mode", 1)))
                    .contains("iscsiglobal_update.mode", "Cannot switch iSCSI mode while the service is running.");
            stopIscsi(client);
            client.result("iscsi.global.update", object("mode", 1));

            assertThat(client.failure("iscsi.global.update", object("mode", 2)))
                    .contains("iscsi_update.mode", "Input should be less than or equal to 1");
            assertThat(mode(client)).isEqualTo(1);

            box.tamper("iscsi_global", "config", row -> changed(row, "mode", 2));
            assertThat(mode(client)).isEqualTo(2);
        }
    }

    @Test
    void a_box_becomes_one_of_lio_only_without_what_lio_has_not() {
        try (Simulator box = Simulator.start(Profile.V27, folder);
                Client client = Client.root(box)) {
            client.result("iscsi.auth.create", object("tag", 7, "user", "u", "secret", "0123456789ab"));
            client.result("iscsi.auth.create", object("tag", 7, "user", "v", "secret", "0123456789ab"));
            JsonObject chap = object("portal", 1, "authmethod", "CHAP", "auth", 7);
            client.result(
                    "iscsi.target.create",
                    object("name", "a", "groups", array(chap), "auth_networks", array("10.0.0.0/8")));
            client.result("iscsi.global.update", object("isns_servers", array("10.0.0.9")));
            stopIscsi(client);

            assertThat(client.failure("iscsi.global.update", object("mode", 2)))
                    .contains("cannot authenticate initiators under LIO: a.")
                    .contains("reference an auth tag with multiple credentials: a (tag 7).")
                    .contains("LIO does not support iSNS.")
                    .contains("would become reachable from all IPs under LIO: a.")
                    .doesNotContain("discovery authentication", "while the service is running");
            assertThat(mode(client)).isZero();

            client.result("iscsi.target.update", 1, object("groups", array(), "auth_networks", array()));
            client.result("iscsi.global.update", object("isns_servers", array()));
            client.result("iscsi.global.update", object("mode", 2));
            assertThat(mode(client)).isEqualTo(2);
        }
    }

    private static long mode(Client client) {
        return client.result("iscsi.global.config")
                .getAsJsonObject()
                .get("mode")
                .getAsLong();
    }

    private static JsonObject changed(JsonObject row, String key, int value) {
        row.addProperty(key, value);
        return row;
    }

    @Test
    void lio_asks_chap_of_initiators_with_a_name_alone() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            client.result("iscsi.auth.create", object("tag", 7, "user", "u", "secret", "0123456789ab"));
            JsonObject chap = object("portal", 1, "authmethod", "CHAP", "auth", 7);
            client.result("iscsi.target.create", object("name", "a", "groups", array(chap)));
            assertThat(box.<Boolean>admission(admission -> admission.iscsi("a", NODE)))
                    .isTrue();

            box.tamper("iscsi_global", "config", row -> changed(row, "mode", 2));
            assertThat(box.<Boolean>admission(admission -> admission.iscsi("a", NODE)))
                    .isFalse();

            client.result("iscsi.initiator.create", object("initiators", array(NODE)));
            chap.addProperty("initiator", 1);
            client.result("iscsi.target.update", 1, object("groups", array(chap)));
            assertThat(box.<Boolean>admission(admission -> admission.iscsi("a", NODE)))
                    .isTrue();
            assertThat(box.<Boolean>admission(admission -> admission.iscsi("a", OTHER)))
                    .isFalse();
        }
    }

    @Test
    void lio_ends_the_session_of_an_initiator_that_is_named_no_more_and_scst_does_not() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            client.result("iscsi.initiator.create", object("initiators", array(NODE, OTHER)));
            client.result(
                    "iscsi.target.create", object("name", "a", "groups", array(object("portal", 1, "initiator", 1))));
            box.logIn("a", NODE);
            box.logIn("a", OTHER);

            client.result("iscsi.initiator.update", 1, object("initiators", array(OTHER)));
            assertThat(sessions(client)).isEqualTo(2);

            client.result("iscsi.initiator.update", 1, object("initiators", array(NODE, OTHER)));
            box.tamper("iscsi_global", "config", row -> changed(row, "mode", 2));
            client.result("iscsi.initiator.update", 1, object("initiators", array(OTHER)));
            assertThat(sessions(client)).isEqualTo(1);
            assertThat(client.failure("iscsi.target.delete", 1)).contains("Target a is in use.");

            client.result("iscsi.target.update", 1, object("groups", array()));
            assertThat(sessions(client)).isZero();
            client.result("iscsi.target.delete", 1);
        }
    }

    private static int sessions(Client client) {
        return client.result("iscsi.global.sessions").getAsJsonArray().size();
    }
}
