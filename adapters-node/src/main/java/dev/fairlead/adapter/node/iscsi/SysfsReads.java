package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;

/**
 * Reads sysfs on threads that can be left behind: an entry of a device whose target is gone may not be answered, nor
 * the name of a portal.
 */
record SysfsReads(Sysfs sysfs, KernelThreads threads) {
    /** The longest time for what takes well below a millisecond unless something hangs. */
    private static final Duration GLANCE = Duration.ofSeconds(10);

    /**
     * Answers a question about a target, or fails as soon as the time is up; questions about one wait for each other.
     */
    <T> T of(String iqn, Work work, Function<Sysfs, T> question) {
        return of(iqn, iqn, work, question);
    }

    /** Answers a question about all mounts and a target. */
    <T> T ofMounts(String iqn, Work work, Function<Sysfs, T> question) {
        return of("mounts of " + iqn, iqn, work, question);
    }

    private <T> T of(String subject, String iqn, Work work, Function<Sysfs, T> question) {
        Path path = sysfs.root().resolve("class/iscsi_session").resolve(subject);
        return threads.call("reading sysfs about " + subject, path, iqn, GLANCE, work, _ -> question.apply(sysfs));
    }

    /** Answers a question about what a mount shows. */
    <T> T of(MountEntry mount, Work work, Function<Sysfs, T> question) {
        Path path = sysfs.blocks().entry(mount);
        return threads.call("reading sysfs about mount " + mount.id(), path, GLANCE, work, _ -> question.apply(sysfs));
    }
}
