package dev.fairlead.adapter.kernel.lio;

import dev.fairlead.adapter.kernel.host.HostLock;
import dev.fairlead.application.port.out.host.PosixShell;
import java.time.Duration;
import java.util.List;

/**
 * Where things are on a storage host with LIO.
 *
 * @param path where programs are looked for first; what SSH gives to a user may lack root's
 * @param targets the kernel's folder of targets
 * @param module a folder that is there while the kernel has targets
 * @param saves where targetcli may keep its configuration; the first that exists is the one
 * @param work a folder for the time of one script, which is root's alone
 * @param targetcliLock what targetcli itself locks
 * @param limit for one run of targetcli
 * @param looks how often to look for a new volume's device, five times a second
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
    /** Debian's first: Debian moved targetcli's folder, and other distributions did not. */
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

    /** How long a script may take: it waits for the lock and the device, and may run targetcli twice. */
    Duration patience() {
        return lock.patience().plus(limit.multipliedBy(2)).plusSeconds(looks / 5 + 30L);
    }

    /** All of this as the variables of a script. */
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
