package dev.fairlead.adapter.zfs.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where the programs of a connection run, and as whom. */
class ZfsConnectionsTest {
    private static final Elevation SUDO = Elevation.by("/usr/bin/sudo");

    private final List<String> ways = new ArrayList<>();
    private final Problems problems = new Problems("disks.yaml");

    private CommandRunnerFactory way(String name) {
        return (_, _) -> {
            ways.add(name);
            return new FakePool();
        };
    }

    private ZfsPrograms programs(String driverType, Map<String, Object> ssh, Map<String, Object> cli) {
        return programs(driverType, ssh, cli, Map.of());
    }

    private ZfsPrograms programs(
            String driverType, Map<String, Object> ssh, Map<String, Object> cli, Map<String, Object> more) {
        Map<String, Object> file = new HashMap<>(more);
        file.put("zfs", Map.of("datasetParentName", "tank/v", "cli", cli));
        if (!ssh.isEmpty()) {
            file.put("sshConnection", ssh);
        }
        ConfigNode root = ConfigNode.root(ConfigTrees.of(file), problems);
        var scope = new ConnectionScope(
                new ConnectionName("disks"), driverType, Optional.empty(), "test", driverType.startsWith("zfs-local-"));
        var connections = new ZfsConnections(new StorageHosts(Map.of("ssh", way("ssh"), "local", way("local"))));
        try (ZfsConnection connection = connections.open(scope, root)) {
            root.ignore("httpConnection"); // the exporter's
            root.reportUnread(ConfigNode.Unread.ERROR);
            assertThat(problems.all()).isEmpty();
            return connection.programs();
        }
    }

    /** A main file may give all connections the user of their storage hosts; a pool of this machine has none. */
    @Test
    void a_local_pool_asks_no_sudo_because_of_a_user_of_other_hosts() {
        ZfsPrograms programs = programs("zfs-local-dataset", Map.of("username", "csi"), Map.of());

        assertThat(ways).containsExactly("local");
        assertThat(programs.zfs()).containsExactly("zfs");
        assertThat(programs.asRoot()).isEqualTo(Elevation.NONE);
    }

    @Test
    void a_local_pool_asks_sudo_where_its_file_says_so() {
        ZfsPrograms programs =
                programs("zfs-local-zvol", Map.of("username", "root", "port", 22), Map.of("sudoEnabled", true));

        assertThat(programs.zfs()).containsExactlyElementsOf(SUDO.of(List.of("zfs")));
        assertThat(programs.asRoot()).isEqualTo(SUDO);
    }

    @Test
    void a_type_for_storage_hosts_without_one_is_local_too() {
        ZfsPrograms programs = programs("zfs-generic-nfs", Map.of(), Map.of());

        assertThat(ways).containsExactly("local");
        assertThat(programs.zfs()).containsExactly("/sbin/zfs");
        assertThat(programs.asRoot()).isEqualTo(Elevation.NONE);
    }

    @Test
    void on_a_storage_host_files_are_changed_by_sudo_unless_the_user_is_root() {
        assertThat(programs("zfs-generic-nfs", Map.of("username", "csi"), Map.of())
                        .asRoot())
                .isEqualTo(SUDO);
        assertThat(programs("zfs-generic-nfs", Map.of("username", "root"), Map.of())
                        .asRoot())
                .isEqualTo(Elevation.NONE);
        assertThat(ways).containsExactly("ssh", "ssh");
    }

    /** Its releases keep zfs in /usr/local/sbin, /usr/sbin or /sbin, and not all of them are on each session's path. */
    @Test
    void an_appliance_with_an_api_is_searched_for_zfs_unless_sudo_does_that() {
        Map<String, Object> api = Map.of("httpConnection", Map.of("host", "nas"));

        List<String> searched = programs("freenas-nfs", Map.of("username", "root"), Map.of(), api)
                .zfs();
        assertThat(searched).hasSize(3).startsWith("/usr/bin/env").endsWith("zfs");
        assertThat(searched.get(1)).startsWith("PATH=/usr/local/sbin:/usr/sbin:");
        assertThat(programs("freenas-nfs", Map.of("username", "csi"), Map.of("sudoEnabled", true), api)
                        .zfs())
                .containsExactlyElementsOf(SUDO.of(List.of("zfs")));
        assertThat(programs(
                                "freenas-nfs",
                                Map.of("username", "root"),
                                Map.of("paths", Map.of("zfs", "/usr/local/sbin/zfs")),
                                api)
                        .zfs())
                .containsExactly("/usr/local/sbin/zfs");
    }

    @Test
    void a_parent_is_known_for_as_long_as_the_file_stays_as_it_is() {
        var pool = new FakePool("tank", "tank/v");
        CommandRunnerFactory way = (_, _) -> pool;
        var connections = new ZfsConnections(new StorageHosts(Map.of("ssh", way, "local", way)));
        look(connections, "disks", "zstd");
        pool.remove("tank/v");
        pool.put("tank/v", "filesystem", Map.of());

        Failing.with(Failure.BackendUnavailable.class, () -> look(connections, "disks", "zstd"));
        assertThat(look(connections, "others", "zstd")).isEmpty();
        assertThat(look(connections, "disks", "lz4")).isEmpty();
    }

    @Test
    void a_version_of_the_file_that_never_came_into_force_lets_no_parent_be_forgotten() {
        var pool = new FakePool("tank", "tank/v");
        CommandRunnerFactory way = (_, _) -> pool;
        var connections = new ZfsConnections(new StorageHosts(Map.of("ssh", way, "local", way)));
        look(connections, "disks", "zstd");
        open(connections, "disks", "bad").close();
        pool.remove("tank/v");
        pool.put("tank/v", "filesystem", Map.of());

        Failing.with(Failure.BackendUnavailable.class, () -> look(connections, "disks", "zstd"));
        assertThat(look(connections, "disks", "lz4")).isEmpty();
        assertThat(look(connections, "disks", "zstd")).isEmpty();
    }

    /** By a version of the file that nothing else has opened, as after an hour without a call. */
    private Optional<?> look(ZfsConnections connections, String name, String compression) {
        try (ZfsConnection connection = open(connections, name, compression)) {
            return connection.host().get("tank/v/pvc-1", List.of("type"), TestWork.patient());
        }
    }

    private ZfsConnection open(ZfsConnections connections, String name, String compression) {
        ConfigNode root = ConfigNode.root(
                ConfigTrees.of(Map.of(
                        "zfs",
                        Map.of(
                                "datasetParentName",
                                "tank/v",
                                "datasetProperties",
                                Map.of("compression", compression)))),
                problems);
        var scope = new ConnectionScope(new ConnectionName(name), "zfs-generic-nfs", Optional.empty(), "test");
        return connections.open(scope, root);
    }
}
