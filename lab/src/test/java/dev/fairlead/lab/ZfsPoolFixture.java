package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.kernel.lio.TargetModule;
import dev.fairlead.adapter.kernel.nvmet.NvmetModule;
import dev.fairlead.adapter.ssh.SshModule;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.adapter.zfs.share.ShareModule;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.ConfigTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Stores and exporters over a pool of the storage host, entered over SSH as a connection's file says. */
final class ZfsPoolFixture {
    static final SshModule.Sessions SESSIONS =
            SshModule.sessions(Thread.ofPlatform().daemon().factory());
    private static final CommandRunnerFactory NOT_HERE = (_, _) -> {
        throw new AssertionError("the pool is not on this machine");
    };

    private final StorageHost host;
    private final StorageHosts hosts =
            new StorageHosts(Map.of("ssh", SshModule.ssh(() -> SESSIONS), "local", NOT_HERE));
    private final ZfsConnections connections = new ZfsConnections(hosts);

    ZfsPoolFixture(StorageHost host) {
        this.host = host;
    }

    StorageHost host() {
        return host;
    }

    /** The dataset that volumes go below. */
    String parent() {
        return host.parent() + "/v";
    }

    VolumeStore filesystems(Map<String, ?> zfs) {
        return filesystems(zfs, Map.of());
    }

    /** @param more blocks of the file besides {@code zfs} */
    VolumeStore filesystems(Map<String, ?> zfs, Map<String, ?> more) {
        return ZfsStoreModule.filesystems(connections).open(scope("zfs-generic-nfs"), file(zfs, more));
    }

    /** A store of another parent dataset, perhaps in another pool. */
    VolumeStore filesystemsBelow(String other) {
        return ZfsStoreModule.filesystems(connections)
                .open(scope("zfs-generic-nfs"), file(Map.of("datasetParentName", other), Map.of()));
    }

    VolumeStore volumes(Map<String, ?> zfs) {
        return ZfsStoreModule.volumes(connections).open(scope("zfs-generic-iscsi"), file(zfs, Map.of()));
    }

    Exporter nfs(Map<String, ?> nfs) {
        return ShareModule.nfs(connections).open(scope("zfs-generic-nfs"), file(Map.of(), Map.of("nfs", nfs)));
    }

    Exporter smb(Map<String, ?> smb) {
        return ShareModule.smb(connections).open(scope("zfs-generic-smb"), file(Map.of(), Map.of("smb", smb)));
    }

    /** Shares of a protocol, entered as another user and with keys of the block {@code zfs}. */
    Exporter shares(String protocol, Map<String, ?> block, String user, Map<String, ?> zfs) {
        ConfigNode file = file(user, zfs, Map.of(protocol, block));
        return protocol.equals("nfs")
                ? ShareModule.nfs(connections).open(scope("zfs-generic-nfs"), file)
                : ShareModule.smb(connections).open(scope("zfs-generic-smb"), file);
    }

    Exporter iscsi(Map<String, ?> iscsi) {
        return TargetModule.iscsi(hosts)
                .open(scope("zfs-generic-iscsi"), file(Map.of(), Map.of("iscsi", iscsi)), look(parent()));
    }

    /** The same, entered as another user and with keys of the block {@code zfs}. */
    Exporter iscsi(Map<String, ?> iscsi, String user, Map<String, ?> zfs) {
        Object parent = zfs.containsKey("datasetParentName") ? zfs.get("datasetParentName") : parent();
        return TargetModule.iscsi(hosts)
                .open(scope("zfs-generic-iscsi"), file(user, zfs, Map.of("iscsi", iscsi)), look(parent));
    }

    /** What a store below that parent answers. */
    private static NoteLook look(Object parent) {
        return (volume, note) -> note.equals(Access.GRANTS)
                ? List.of("/sbin/zfs", "get", "-Hp", "-o", "value", "dev.fairlead:grants", parent + "/" + volume)
                : List.of();
    }

    Exporter nvmet(Map<String, ?> nvmeof) {
        return NvmetModule.nvmet(hosts).open(scope("zfs-generic-nvmeof"), file(Map.of(), Map.of("nvmeof", nvmeof)));
    }

    /** The same, entered as another user. */
    Exporter nvmet(Map<String, ?> nvmeof, String user) {
        return NvmetModule.nvmet(hosts)
                .open(scope("zfs-generic-nvmeof"), file(user, Map.of(), Map.of("nvmeof", nvmeof)));
    }

    static ConnectionScope scope(String type) {
        return new ConnectionScope(
                new ConnectionName("nas"), type, Optional.of("lab"), "lab", type.startsWith("zfs-local-"));
    }

    /** A connection's file, a new one each time. */
    ConfigNode file(Map<String, ?> zfs, Map<String, ?> more) {
        return file("root", zfs, more);
    }

    private ConfigNode file(String user, Map<String, ?> zfs, Map<String, ?> more) {
        try {
            Map<String, Object> block = new HashMap<>(zfs);
            block.putIfAbsent("datasetParentName", parent());
            Map<String, Object> all = new HashMap<>(more);
            all.put("zfs", block);
            all.put(
                    "sshConnection",
                    Map.of(
                            "host",
                            "127.0.0.1",
                            "port",
                            host.port("ssh"),
                            "username",
                            user,
                            "privateKey",
                            host.key("plain"),
                            "knownHosts",
                            host.knownHosts()));
            Problems problems = new Problems("nas.yaml");
            ConfigNode file = ConfigNode.root(ConfigTrees.of(all), problems);
            assertThat(problems.all()).isEmpty();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a line of shell as root, past everything that is tested. */
    String shell(String line) {
        try {
            return host.shell(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same with what bash has beyond a shell. */
    String bash(String line) {
        try {
            return host.root("bash", "-c", line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(StoredVolume volume, String file, String content) {
        shell("printf %s '" + content.replace("'", "'\\''") + "' >'"
                + volume.medium().path() + "/" + file + "'");
    }

    Optional<String> read(StoredVolume volume, String file) {
        String path = "'" + volume.medium().path() + "/" + file + "'";
        String text = shell("if [ -e " + path + " ]; then echo yes; cat " + path + "; else echo no; fi");
        return text.startsWith("yes\n") ? Optional.of(text.substring(4)) : Optional.empty();
    }

    /** A block volume has no files: each name has a block of its own, by its hash, which text with zeros follows. */
    void writeBlock(StoredVolume volume, String file, String content) {
        shell(device(volume) + " printf '%s' '" + content.replace("'", "'\\''") + "' | dd of='"
                + volume.medium().path() + "' bs=4096 conv=sync,notrunc,nocreat,fsync seek=" + slot(file)
                + " 2>/dev/null");
    }

    Optional<String> readBlock(StoredVolume volume, String file) {
        String text = shell(device(volume) + " dd if='" + volume.medium().path() + "' bs=4096 count=1 skip="
                + slot(file) + " 2>/dev/null | tr -d '\\000'");
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /** Waits for the device, which udev names a moment after ZFS has made the volume; fails if none comes. */
    private static String device(StoredVolume volume) {
        String path = volume.medium().path();
        return "for i in $(seq 100); do [ -b '" + path + "' ] && break; sleep 0.1; done;" + " if ! [ -b '" + path
                + "' ]; then echo 'no device " + path + "' >&2; exit 1; fi;";
    }

    private static int slot(String file) {
        return Math.floorMod(file.hashCode(), 1000);
    }

    /** What is below the test's own dataset, without the parent that volumes go below. */
    String left() {
        return shell("zfs list -H -o name -t all -r " + host.parent() + " | grep -v -x -e " + host.parent() + " -e "
                + parent() + " || true");
    }

    int exported() {
        return Integer.parseInt(
                shell("exportfs | grep -c '^/" + parent() + "/' || true").strip());
    }

    int shares() {
        return Integer.parseInt(shell("ls /var/lib/samba/usershares | wc -l").strip());
    }
}
