package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;

/**
 * Reads sysfs on threads that can be left behind: the kernel asks a connection for its address, and an entry of a
 * device whose target is gone may not be answered, nor the name of a way.
 */
record NvmeofReads(NvmeofSysfs sysfs, KernelThreads threads) {
    /** The longest time for what takes well below a millisecond unless something hangs. */
    private static final Duration GLANCE = Duration.ofSeconds(10);

    /**
     * Answers a question about a subsystem, or fails as soon as the time is up; questions about one wait for each
     * other.
     */
    <T> T of(String nqn, Work work, Function<NvmeofSysfs, T> question) {
        return of(nqn, nqn, work, question);
    }

    /** Answers a question about all mounts and a subsystem. */
    <T> T ofMounts(String nqn, Work work, Function<NvmeofSysfs, T> question) {
        return of("mounts of " + nqn, nqn, work, question);
    }

    private <T> T of(String subject, String nqn, Work work, Function<NvmeofSysfs, T> question) {
        Path path = sysfs.root().resolve("class/nvme-subsystem").resolve(subject);
        return threads.call("reading sysfs about " + subject, path, nqn, GLANCE, work, _ -> question.apply(sysfs));
    }

    /** Answers a question about what a mount shows. */
    <T> T of(MountEntry mount, Work work, Function<NvmeofSysfs, T> question) {
        Path path = new BlockTree(sysfs.root()).entry(mount);
        return threads.call("reading sysfs about mount " + mount.id(), path, GLANCE, work, _ -> question.apply(sysfs));
    }

    /** Notes at which host the subsystem is, so that calls for all subsystems of a host count together. */
    void note(Attachment.Nvmeof attachment) {
        try {
            NvmeofTransport.of(attachment).stream()
                    .map(NvmeofTransport::host)
                    .sorted()
                    .findFirst()
                    .ifPresent(host -> threads.note(attachment.nqn(), host));
        } catch (StorageException _) {
            // what was recognised may have no way of its own, and counts by the subsystem's name
        }
    }
}
