package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.work.Work;
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
     * Answers a question, or fails as soon as the time is up.
     *
     * @param subject the subsystem or mount that the question is about; questions about one wait for each other
     */
    <T> T of(String subject, Work work, Function<NvmeofSysfs, T> question) {
        Path path = sysfs.root().resolve("class/nvme-subsystem").resolve(subject);
        return threads.call("reading sysfs about " + subject, path, GLANCE, work, _ -> question.apply(sysfs));
    }
}
