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

    /** Tells where {@code zfs} is on a host of which the file does not say it. */
    enum Place {
        /** It is wherever the path of this process leads. */
        ON_THE_PATH,
        OF_A_SYSTEM,
        /** It is in one of several folders, not all of which are on the path of a session without a login shell. */
        OF_AN_APPLIANCE;

        /** Returns the words of the program; {@code sudo} has a path of its own, and its rules name zfs. */
        List<String> words(boolean bySudo) {
            return switch (this) {
                case ON_THE_PATH -> List.of("zfs");
                case OF_A_SYSTEM -> List.of("/sbin/zfs");
                case OF_AN_APPLIANCE ->
                    bySudo
                            ? List.of("zfs")
                            : List.of(
                                    "/usr/bin/env",
                                    "PATH=/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin",
                                    "zfs");
            };
        }
    }

    public ZfsPrograms {
        zfs = List.copyOf(zfs);
    }

    /**
     * @param file the whole file, since {@code sshConnection} names the user
     * @param host if it is this machine, nobody is entered as; an {@code sshConnection} may be there all the same, from
     *     the defaults of all connections
     * @param usual where {@code zfs} is if the file does not say
     */
    static ZfsPrograms read(ConfigNode file, StorageHost host, Place usual) {
        ConfigNode cli = file.child("zfs").child("cli");
        ConfigNode paths = cli.child("paths");
        paths.ignore("zpool", "chroot"); // neither program is run
        boolean enabled = cli.bool("sudoEnabled", false);
        List<String> zfs = paths.optional("zfs", ZfsPrograms::program, "a path, such as /sbin/zfs")
                .map(List::of)
                .orElseGet(() -> usual.words(enabled));
        Elevation sudo = host.sudo();
        boolean root = host.local()
                || file.child("sshConnection").string("username", "").equals(ROOT);
        return new ZfsPrograms(enabled ? sudo.of(zfs) : zfs, enabled || !root ? sudo : Elevation.NONE);
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
