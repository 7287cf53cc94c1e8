package dev.fairlead.simulator;

import static dev.fairlead.simulator.engine.JsonTools.array;
import static dev.fairlead.simulator.engine.JsonTools.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShareTruthsTest {
    private static final String NODE = "iqn.2024-01.dev.fairlead:node";

    @TempDir
    private Path folder;

    @Test
    void a_second_nfs_share_of_a_path_is_accepted_unless_it_names_the_same_hosts() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            client.result("sharing.nfs.create", object("path", "/mnt/tank/a"));
            client.result("sharing.nfs.create", object("path", "/mnt/tank/a"));
            client.result("sharing.nfs.create", object("path", "/mnt/tank/a", "hosts", array("10.0.0.1")));

            assertThat(client.failure("sharing.nfs.create", object("path", "/mnt/tank/a", "hosts", array("10.0.0.1"))))
                    .contains(
                            "ERROR - Export conflict. Another share with the same path exports /mnt/tank/a for {'10.0.0.1'}")
                    .contains("ERROR - Another NFS share already exports /mnt/tank/a for host 10.0.0.1");
            assertThat(box.broken()).contains("a second NFS share of /mnt/tank/a");
        }
    }

    @Test
    void core_takes_no_share_for_everybody_beside_another_one_of_its_filesystem() {
        try (Simulator box = Simulator.start(Profile.CORE_13_0, folder)) {
            box.call("pool.dataset.create", array(object("name", "tank/a")));
            JsonObject node = object("paths", array("/mnt/tank/a"), "hosts", array("10.0.0.1"));
            JsonObject off = object("paths", array("/mnt/tank/a"), "enabled", false);
            box.call("sharing.nfs.create", array(node));

            assertThatThrownBy(() -> box.call("sharing.nfs.create", array(node)))
                    .extracting(e -> ((ApiFailure) e).text(), InstanceOfAssertFactories.STRING)
                    .contains("Another NFS share already exports this dataset for 10.0.0.1");
            assertThatThrownBy(() -> box.call("sharing.nfs.create", array(off)))
                    .extracting(e -> ((ApiFailure) e).text(), InstanceOfAssertFactories.STRING)
                    .contains("Another NFS share already exports this dataset for some network");
        }
    }

    @Test
    void an_empty_list_and_a_group_that_is_gone_let_everybody_in() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            JsonElement share = client.result(
                            "sharing.nfs.create", object("path", "/mnt/tank/a", "networks", array("10.0.0.0/24")))
                    .getAsJsonObject()
                    .get("id");
            JsonElement group = client.result("iscsi.initiator.create", object("initiators", array(NODE)))
                    .getAsJsonObject()
                    .get("id");
            client.result(
                    "iscsi.target.create",
                    object("name", "t", "groups", array(object("portal", 1, "initiator", group))));

            boolean node = box.admission(admission -> admission.nfs("/mnt/tank/a", "10.0.0.7"));
            boolean stranger = box.admission(admission -> admission.nfs("/mnt/tank/a", "10.1.0.7"));
            boolean other = box.admission(admission -> admission.iscsi("t", "iqn.other"));
            client.result("sharing.nfs.update", share, object("networks", array()));
            client.result("iscsi.initiator.delete", group);

            assertThat(node).isTrue();
            assertThat(stranger).isFalse();
            assertThat(other).isFalse();
            assertThat(box.<Boolean>admission(admission -> admission.nfs("/mnt/tank/a", "10.1.0.7")))
                    .isTrue();
            assertThat(box.<Boolean>admission(admission -> admission.iscsi("t", "iqn.other")))
                    .isTrue();
        }
    }

    @Test
    void a_row_whose_reload_failed_is_loaded_by_the_next_change_of_its_service() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a"));
            JsonElement share = client.result(
                            "sharing.nfs.create", object("path", "/mnt/tank/a", "hosts", array("10.0.0.7")))
                    .getAsJsonObject()
                    .get("id");
            box.fault(Fault.at("sharing.nfs.update", new Fault.Unloaded(false)));

            JsonObject refused = client.call("sharing.nfs.update", share, object("enabled", false));
            boolean stays = box.admission(admission -> admission.nfs("/mnt/tank/a", "10.0.0.7"));
            client.result("sharing.nfs.update", share, object("enabled", false));

            assertThat(refused.has("error")).isTrue();
            assertThat(stays).isTrue();
            assertThat(box.<Boolean>admission(admission -> admission.nfs("/mnt/tank/a", "10.0.0.7")))
                    .isFalse();
        }
    }

    @Test
    void an_smb_share_is_flat_before_25_10_and_has_a_purpose_after_the_upgrade() {
        try (Simulator box = Simulator.start(Profile.V25_04, folder)) {
            try (Client client = Client.root(box)) {
                client.result("pool.dataset.create", object("name", "tank/a", "share_type", "SMB"));
                JsonObject share = client.result(
                                "sharing.smb.create",
                                object(
                                        "path",
                                        "/mnt/tank/a",
                                        "name",
                                        "A",
                                        "guestok",
                                        true,
                                        "hostsallow",
                                        array("10.0.0.1")))
                        .getAsJsonObject();
                assertThat(share.get("guestok").getAsBoolean()).isTrue();
                assertThat(client.failure("sharing.smb.create", object("path", "/mnt/tank/a", "name", "a")))
                        .contains("[EEXIST] sharingsmb_create.name: Share with this name already exists.");
            }
            box.upgrade(Profile.V25_10);
            try (Client client = Client.root(box)) {
                JsonObject share = client.result("sharing.smb.query")
                        .getAsJsonArray()
                        .get(0)
                        .getAsJsonObject();

                assertThat(share.get("purpose").getAsString()).isEqualTo("LEGACY_SHARE");
                assertThat(share.getAsJsonObject("options").get("hostsallow")).isEqualTo(array("10.0.0.1"));
                assertThat(client.failure("sharing.smb.create", object("path", "/mnt/tank/a", "name", "a")))
                        .contains("Share names are case-insensitive and must be unique");
                assertThat(client.failure(
                                "sharing.smb.create", object("path", "/mnt/tank/a", "name", "b", "abe", true)))
                        .contains("data.abe: Extra inputs are not permitted");
            }
        }
    }

    @Test
    void a_host_that_uses_an_smb_share_goes_on_until_the_share_is_switched_off() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a", "share_type", "SMB"));
            JsonElement share = client.result("sharing.smb.create", object("path", "/mnt/tank/a", "name", "A"))
                    .getAsJsonObject()
                    .get("id");
            box.connect("a", "10.0.0.1");
            JsonObject others = object("purpose", "DEFAULT_SHARE", "options", object("hostsallow", array("10.0.0.2")));

            client.result("sharing.smb.update", share, others);
            boolean goesOn = box.admission(admission -> admission.smb("A", "10.0.0.1"));
            client.result("sharing.smb.update", share, object("enabled", false));
            client.result("sharing.smb.update", share, object("enabled", true));

            assertThat(goesOn).isTrue();
            assertThat(box.<Boolean>admission(admission -> admission.smb("A", "10.0.0.1")))
                    .isFalse();
            assertThat(box.<Boolean>admission(admission -> admission.smb("A", "10.0.0.2")))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"V25_04", "V25_10", "V26"})
    void a_target_an_extent_and_their_link_go_with_the_volume(Profile profile) {
        try (Simulator box = Simulator.start(profile, folder);
                Client client = Client.root(box)) {
            volume(client);
            JsonElement target = client.result(
                            "iscsi.target.create", object("name", "t", "groups", array(object("portal", 1))))
                    .getAsJsonObject()
                    .get("id");
            JsonObject extent = client.result("iscsi.extent.create", object("name", "t", "disk", "zvol/tank/v"))
                    .getAsJsonObject();
            client.result(
                    "iscsi.targetextent.create", object("target", target, "extent", extent.get("id"), "lunid", 0));

            assertThat(extent.get("naa").getAsString()).startsWith("0x6589cfc000000");
            assertThat(box.broken()).isEmpty();
            assertThat(client.failure("iscsi.target.create", object("name", "t")))
                    .contains("Target with this name already exists");
            assertThat(client.failure("iscsi.extent.create", object("name", "t2", "disk", "zvol/tank/v")))
                    .contains("Disk currently in use by extent t");
            assertThat(client.failure("iscsi.extent.create", object("name", "t3", "disk", "zvol/tank/w")))
                    .contains("Device '/dev/zvol/tank/w' for volume 'tank/w' does not exist");
            box.logIn("t", NODE);
            assertThat(client.failure("iscsi.target.delete", target)).isEqualTo("-32001 [EFAULT] Target t is in use.");
            client.result("pool.dataset.delete", "tank/v", object("recursive", true));
            assertThat(client.result("iscsi.extent.query")).isEqualTo(array());
            assertThat(client.result("iscsi.target.query")).isEqualTo(array());
        }
    }

    private static void volume(Client client) {
        client.result(
                "pool.dataset.create", object("name", "tank/v", "type", "VOLUME", "volsize", 1L << 30, "sparse", true));
    }

    @Test
    void a_subsystem_admits_the_hosts_that_are_linked() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            volume(client);
            JsonObject subsystem =
                    client.result("nvmet.subsys.create", object("name", "v")).getAsJsonObject();
            JsonElement id = subsystem.get("id");
            String nqn = subsystem.get("subnqn").getAsString();
            client.result(
                    "nvmet.namespace.create",
                    object("subsys_id", id, "device_type", "ZVOL", "device_path", "zvol/tank/v"));
            client.result("nvmet.port_subsys.create", object("port_id", 1, "subsys_id", id));
            JsonElement host = client.result("nvmet.host.create", object("hostnqn", "nqn.2014-08.org:node"))
                    .getAsJsonObject()
                    .get("id");
            client.result("nvmet.host_subsys.create", object("host_id", host, "subsys_id", id));

            assertThat(box.<Boolean>admission(admission -> admission.nvme(nqn, "nqn.2014-08.org:node")))
                    .isTrue();
            assertThat(box.<Boolean>admission(admission -> admission.nvme(nqn, "nqn.2014-08.org:other")))
                    .isFalse();
            assertThat(client.failure("nvmet.subsys.delete", id)).contains("Subsystem v contains 1 namespace: 1");
            assertThat(client.failure("nvmet.port_subsys.create", object("port_id", 1, "subsys_id", id)))
                    .contains("This record already exists (Host ID: 1/Subsystem ID: 1)");
            client.result("nvmet.subsys.delete", id, object("force", true));
            assertThat(client.result("nvmet.namespace.query")).isEqualTo(array());
        }
    }

    @Test
    void nvme_is_absent_before_25_10() {
        try (Simulator box = Simulator.start(Profile.V25_04, folder);
                Client client = Client.root(box)) {
            assertThat(client.failure("nvmet.subsys.query")).startsWith("-32601");
            assertThat(client.rest("GET", "/nvmet/subsys", "").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void a_volume_s_device_comes_late() throws InterruptedException {
        try (Simulator box = Simulator.start(
                        Profile.V25_10, folder, SimulatorSettings.standard().withVolumeDelay(Duration.ofSeconds(5)));
                Client client = Client.root(box)) {
            volume(client);

            assertThat(client.failure("iscsi.extent.create", object("name", "v", "disk", "zvol/tank/v")))
                    .contains("does not exist");
            Thread.sleep(5500);
            assertThat(client.result("iscsi.extent.create", object("name", "v", "disk", "zvol/tank/v"))
                            .getAsJsonObject()
                            .get("disk")
                            .getAsString())
                    .isEqualTo("zvol/tank/v");
        }
    }

    @Test
    void services_are_controlled_by_the_methods_of_their_release() {
        try (Simulator box = Simulator.start(Profile.V26, folder);
                Client client = Client.root(box)) {
            client.job(client.result("service.control", "STOP", "nfs"));

            assertThat(client.result("service.query", Client.filter("service", "=", "nfs"), object("get", true))
                            .getAsJsonObject()
                            .get("state")
                            .getAsString())
                    .isEqualTo("STOPPED");
            assertThat(client.failure("service.reload", "nfs")).startsWith("-32601");
        }
    }

    @Test
    void permissions_need_a_mode_and_a_trivial_access_list() {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                Client client = Client.root(box)) {
            client.result("pool.dataset.create", object("name", "tank/a", "share_type", "SMB"));

            assertThat(client.failure("filesystem.setperm", object("path", "/mnt/tank/a", "uid", 1)))
                    .contains("Payload must either explicitly specify permissions or contain the stripacl option.");
            assertThat(client.job(client.result("filesystem.setperm", object("path", "/mnt/tank/a", "mode", "0777")))
                            .get("error")
                            .getAsString())
                    .contains("stripacl");
            assertThat(client.job(client.result(
                                    "filesystem.setperm",
                                    object("path", "/mnt/tank/a", "mode", "0777", "options", object("stripacl", true))))
                            .get("error"))
                    .isEqualTo(JsonNull.INSTANCE);
        }
    }
}
