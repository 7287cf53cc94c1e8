package dev.fairlead.adapter.kernel.lio;

import dev.fairlead.adapter.kernel.host.HostLock;
import dev.fairlead.application.port.out.host.PosixShell;
import java.time.Duration;
import java.util.List;

/**
 * Tells where a storage host with LIO has its files.
 *
 * @param path the folders in which programs are searched first; the path of an SSH session may lack root's
 * @param targets the kernel's folder of targets
 * @param module a folder that exists while the kernel's module for targets is loaded
 * @param saves the folders where targetcli may keep its configuration, of which the first that exists is used
 * @param work a folder that exists while a script runs and that only root can open
 * @param targetcliLock the file that targetcli itself locks
 * @param limit the longest time of one run of targetcli
 * @param looks how many times to look for a new volume's device, at five times a second
 */
record LioHost(
        HostLock lock,
        String path,
        String targets,
        String module,
        List<String> saves,
        String work,
        String targetcliLock,
        Duration limit,
        int looks) {
    /** The usual places, Debian's first: Debian moved targetcli's folder, other distributions did not. */
    static final LioHost USUAL = new LioHost(
            HostLock.of("lio"),
            "/usr/sbin:/usr/bin:/sbin:/bin",
            "/sys/kernel/config/target",
            "/sys/module/target_core_mod",
            List.of("/etc/rtslib-fb-target", "/etc/target"),
            "/run/fairlead-targetcli",
            "/var/run/targetcli.lock",
            Duration.ofSeconds(60),
            50);

    LioHost {
        saves = List.copyOf(saves);
    }

    /** Returns how long a script may take: it waits for the lock and the device, and may run targetcli twice. */
    Duration patience() {
        return lock.patience().plus(limit.multipliedBy(2)).plusSeconds(looks / 5 + 30L);
    }

    /** Returns all of this as the variables of a script. */
    String variables() {
        return """
                PATH=%s:$PATH
                LIO=%s
                MODULE=%s
                SAVES=%s
                WORK=%s
                TARGETCLI_LOCK=%s
                LIMIT=%d
                LOOKS=%d
                """.formatted(
                        PosixShell.quote(path),
                        PosixShell.quote(targets),
                        PosixShell.quote(module),
                        PosixShell.quote(String.join(" ", saves)),
                        PosixShell.quote(work),
                        PosixShell.quote(targetcliLock),
                        limit.toSeconds(),
                        looks);
    }
}
