package dev.fairlead.simulator.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a box does to a real pool: the lines of shell that each call comes to. */
class RealPoolTest {
    @TempDir
    private Path folder = Path.of("/nowhere");

    private final List<String> lines = new ArrayList<>();
    private String refused = "";
    private Optional<Simulator> started = Optional.empty();

    private Simulator box() {
        return started.orElseThrow();
    }

    private String host(String script) {
        if (script.startsWith("zpool list")) return "small\t268435456\ntank\t8589934592\n";
        if (!refused.isEmpty() && script.contains(refused)) throw ApiFailure.call(16, "cannot: dataset is busy");
        script.lines().forEach(lines::add);
        return "";
    }

    @BeforeEach
    void start() {
        started = Optional.of(
                Simulator.start(Profile.V25_10, folder, SimulatorSettings.standard(), new RealPool(this::host)));
        lines.clear();
    }

    @AfterEach
    void stop() {
        box().close();
    }

    private JsonElement call(String method, String params) {
        lines.clear();
        return box().call(
                        method,
                        JsonParser.parseString("[" + params.replace('\'', '"') + "]")
                                .getAsJsonArray());
    }

    private long made(String method, String params) {
        return call(method, params).getAsJsonObject().get("id").getAsLong();
    }

    @Test
    void datasets_and_volumes_are_made_with_their_properties() {
        var _ = call(
                "pool.dataset.create",
                "{'name': 'tank/a b', 'quota': 1073741824, 'user_properties': [{'key': 'x:y', 'value': 'it$1'}]}");
        assertThat(lines).containsExactly("zfs create -o 'quota=1073741824' -o 'x:y=it$1' 'tank/a b'");

        var _ = call("pool.dataset.create", "{'name': 'tank/v', 'type': 'VOLUME', 'volsize': 1048576, 'sparse': true}");
        assertThat(lines).containsExactly("zfs create -V 1048576 -s -o 'volblocksize=16384' 'tank/v'");

        var _ = call("pool.dataset.update", "'tank/v', {'volsize': 2097152}");
        assertThat(lines.getFirst()).isEqualTo("zfs set 'volsize=2097152' 'tank/v'");
        assertThat(lines.getLast()).contains("revalidate_size", "'/dev/zvol/tank/v'");
    }

    @Test
    void snapshots_clones_and_promotions_follow() {
        var _ = call("pool.dataset.create", "{'name': 'tank/a'}");
        var _ = call("pool.snapshot.create", "{'dataset': 'tank/a', 'name': 's'}");
        assertThat(lines).containsExactly("zfs snapshot 'tank/a@s'");

        var _ = call("pool.snapshot.clone", "{'snapshot': 'tank/a@s', 'dataset_dst': 'tank/b'}");
        assertThat(lines).containsExactly("zfs clone 'tank/a@s' 'tank/b'");

        var _ = call("pool.dataset.promote", "'tank/b'");
        assertThat(lines).containsExactly("zfs promote 'tank/b'");

        var _ = call("pool.dataset.rename", "'tank/b', {'new_name': 'tank/c', 'force': true}");
        assertThat(lines).containsExactly("zfs rename 'tank/b' 'tank/c'");

        var _ = call("pool.dataset.delete", "'tank/a'");
        assertThat(lines).containsExactly(PoolCommands.patiently("zfs destroy -r 'tank/a'"));

        var _ = call("pool.snapshot.delete", "'tank/c@s'");
        assertThat(lines).containsExactly("zfs destroy 'tank/c@s'");
    }

    @Test
    void snapshots_of_one_moment_are_one_command() {
        for (String name : List.of("tank/g", "tank/g/a", "tank/g/b")) {
            var _ = call("pool.dataset.create", "{'name': '" + name + "'}");
        }
        var _ = call("pool.snapshot.create", "{'dataset': 'tank/g', 'name': 's', 'recursive': true}");
        assertThat(lines).containsExactly("zfs snapshot 'tank/g@s' 'tank/g/a@s' 'tank/g/b@s'");
    }

    @Test
    void a_copy_into_another_pool_is_a_stream() throws InterruptedException {
        var _ = call("pool.dataset.create", "{'name': 'tank/a', 'share_type': 'SMB'}");
        var _ = call("pool.snapshot.create", "{'dataset': 'tank/a', 'name': 's'}");
        var _ = call(
                "replication.run_onetime",
                "{'direction': 'PUSH', 'transport': 'LOCAL', 'source_datasets': ['tank/a'], 'target_dataset': 'small/a',"
                        + " 'recursive': false, 'name_regex': 's', 'retention_policy': 'NONE', 'readonly': 'IGNORE'}");
        for (int i = 0; i < 500 && lines.isEmpty(); i++) Thread.sleep(10);
        assertThat(lines)
                .containsExactly(
                        "zfs send 'tank/a@s' | zfs receive -o 'acltype=nfsv4' -o 'aclmode=restricted' 'small/a'");
    }

    @Test
    void what_the_pool_refuses_is_refused_and_not_kept() {
        var _ = call("pool.dataset.create", "{'name': 'tank/a'}");
        refused = "zfs destroy";
        assertThatThrownBy(() -> call("pool.dataset.delete", "'tank/a'")).hasMessageContaining("dataset is busy");
        assertThat(box().dump().getAsJsonObject("dataset").has("tank/a")).isTrue();
    }

    @Test
    void shares_are_exported_to_the_hosts_that_they_name() {
        var _ = call("pool.dataset.create", "{'name': 'tank/a'}");
        long id = made(
                "sharing.nfs.create",
                "{'path': '/mnt/tank/a', 'hosts': ['192.0.2.1', '192.0.2.2'], 'maproot_user': 'root'}");
        assertThat(lines)
                .anyMatch(line -> line.contains("\"/mnt/tank/a\" 192.0.2.1(sec=sys,rw,no_subtree_check,no_root_squash)"
                        + " 192.0.2.2(sec=sys,rw,no_subtree_check,no_root_squash)"));

        var _ = call(
                "sharing.nfs.update", id + ", {'hosts': [], 'ro': true, 'mapall_user': 'root', 'maproot_user': null}");
        assertThat(lines)
                .anyMatch(line -> line.contains("\"/mnt/tank/a\" *(sec=sys,ro,no_subtree_check,all_squash,anonuid=0)"));

        var _ = call("pool.dataset.delete", "'tank/a'");
        assertThat(lines.getFirst()).isEqualTo("printf %s '' > /etc/exports");
        assertThat(lines.getLast()).contains("zfs destroy -r 'tank/a'");
    }

    @Test
    void shares_of_smb_are_sections() {
        var _ = call("pool.dataset.create", "{'name': 'tank/a'}");
        long id = made(
                "sharing.smb.create",
                "{'purpose': 'LEGACY_SHARE', 'name': 'a', 'path': '/mnt/tank/a', 'options': {'purpose': 'LEGACY_SHARE', 'hostsallow': ['192.0.2.1']}}");
        assertThat(lines).contains("  path = /mnt/tank/a", "  hosts allow = 192.0.2.1");

        var _ = call("sharing.smb.delete", Long.toString(id));
        assertThat(lines).contains("smbcontrol smbd close-share 'a' || true");
    }

    @Test
    void a_target_lets_in_whom_its_groups_name_and_everybody_by_an_empty_one() {
        var _ = call("pool.dataset.create", "{'name': 'tank/v', 'type': 'VOLUME', 'volsize': 1048576}");
        long extent = made("iscsi.extent.create", "{'name': 'v', 'type': 'DISK', 'disk': 'zvol/tank/v'}");
        String core = "/sys/kernel/config/target/core/iblock_" + extent + "/v";
        assertThat(lines).contains("printf %s 'udev_path=/dev/zvol/tank/v' > '" + core + "/control'");
        long target = made("iscsi.target.create", "{'name': 't', 'groups': []}");
        String group = "/sys/kernel/config/target/iscsi/iqn.2005-10.org.freenas.ctl:t/tpgt_1";
        assertThat(lines).contains("printf %s '0' > '" + group + "/attrib/generate_node_acls'");
        assertThat(lines)
                .contains("[ -d '" + group + "/np/0.0.0.0:3260' ] || mkdir '" + group + "/np/0.0.0.0:3260'")
                .noneMatch(line -> line.contains("/acls/"));
        var _ = call("iscsi.targetextent.create", "{'target': " + target + ", 'extent': " + extent + "}");
        long initiators = made("iscsi.initiator.create", "{'initiators': ['iqn.x:1']}");

        var _ = call("iscsi.target.update", target + ", {'groups': [{'portal': 1, 'initiator': " + initiators + "}]}");
        assertThat(lines).contains("[ -d '" + group + "/acls/iqn.x:1' ] || mkdir '" + group + "/acls/iqn.x:1'");

        var _ = call("iscsi.initiator.update", initiators + ", {'initiators': []}");
        assertThat(lines)
                .contains(
                        "[ ! -d '" + group + "/acls/iqn.x:1' ] || rmdir '" + group + "/acls/iqn.x:1'",
                        "printf %s '1' > '" + group + "/attrib/generate_node_acls'");

        var _ = call("iscsi.target.delete", target + ", true");
        assertThat(lines.getFirst()).isEqualTo("[ ! -e '" + group + "/enable' ] || echo 0 > '" + group + "/enable'");
    }

    @Test
    void a_subsystem_lets_in_the_hosts_that_are_linked() {
        var _ = call("pool.dataset.create", "{'name': 'tank/v', 'type': 'VOLUME', 'volsize': 1048576}");
        JsonObject subsystem = call("nvmet.subsys.create", "{'name': 's'}").getAsJsonObject();
        long id = subsystem.get("id").getAsLong();
        String path =
                "/sys/kernel/config/nvmet/subsystems/" + subsystem.get("subnqn").getAsString();
        var _ = call(
                "nvmet.namespace.create",
                "{'subsys_id': " + id + ", 'device_type': 'ZVOL', 'device_path': 'zvol/tank/v'}");
        assertThat(lines).contains("printf %s '/dev/zvol/tank/v' > '" + path + "/namespaces/1/device_path'");
        var _ = call("nvmet.port_subsys.create", "{'port_id': 1, 'subsys_id': " + id + "}");
        assertThat(lines).anyMatch(line -> line.contains("/ports/1/subsystems/"));
        long host = made("nvmet.host.create", "{'hostnqn': 'nqn.2014-08.org.x:1'}");

        long link = made("nvmet.host_subsys.create", "{'host_id': " + host + ", 'subsys_id': " + id + "}");
        assertThat(lines)
                .containsExactly("[ -L '" + path + "/allowed_hosts/nqn.2014-08.org.x:1' ] || ln -s"
                        + " '/sys/kernel/config/nvmet/hosts/nqn.2014-08.org.x:1' '" + path
                        + "/allowed_hosts/nqn.2014-08.org.x:1'");

        var _ = call("nvmet.host_subsys.delete", Long.toString(link));
        assertThat(lines)
                .containsExactly("[ ! -L '" + path + "/allowed_hosts/nqn.2014-08.org.x:1' ] || rm '" + path
                        + "/allowed_hosts/nqn.2014-08.org.x:1'");
    }
}
