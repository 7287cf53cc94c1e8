package dev.fairlead.adapter.zfs.host;

import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.out.host.StorageHost;
import java.util.List;

/**
 * Tells how programs are called on the storage host: the block {@code zfs.cli} of a connection's file, with
 * democratic-csi's keys.
 *
 * @param zfs the words before the subcommand
 * @param asRoot the elevation of programs that change files if the user of {@code sshConnection} is not root
 */
public record ZfsPrograms(List<String> zfs, Elevation asRoot) {
    private static final String ROOT = "root";

    public ZfsPrograms {
        zfs = List.copyOf(zfs);
    }

    /**
     * @param file the whole file, since {@code sshConnection} names the user
     * @param host if it is this machine, nobody is entered as; an {@code sshConnection} may be there all the same, from
     *     the defaults of all connections
     * @param usualZfs the path of {@code zfs} if the file gives none
     */
    static ZfsPrograms read(ConfigNode file, StorageHost host, String usualZfs) {
        ConfigNode cli = file.child("zfs").child("cli");
        ConfigNode paths = cli.child("paths");
        paths.ignore("zpool", "chroot"); // neither program is run
        String zfs = paths.optional("zfs", ZfsPrograms::program, "a path, such as /sbin/zfs")
                .orElse(usualZfs);
        Elevation sudo = host.sudo();
        boolean enabled = cli.bool("sudoEnabled", false);
        boolean root = host.local()
                || file.child("sshConnection").string("username", "").equals(ROOT);
        return new ZfsPrograms(
                enabled ? sudo.of(List.of(zfs)) : List.of(zfs), enabled || !root ? sudo : Elevation.NONE);
    }

    private static String program(String path) {
        if (path.isBlank() || path.startsWith("-") || path.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("'" + path + "' is no program");
        }
        return path;
    }

    public ZfsCommands commands() {
        return new ZfsCommands(zfs);
    }
}
