package dev.fairlead.adapter.node.iscsi;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Runs {@code iscsiadm} with a deadline; how many run at once is limited as for kernel calls, so that targets that do
 * not answer leave room for others.
 *
 * @param root the root folder below which open-iscsi keeps its records
 */
record IscsiTools(CommandRunner programs, KernelThreads threads, Path root, Duration patience) {
    /** The time that the program's own deadline has to end it. */
    private static final Duration KILLING = Duration.ofSeconds(2);

    /**
     * @param subject what the program works on, which begins with the name of the target; a second one for it waits for
     *     the first
     */
    Ended run(String kind, String subject, List<String> argv, Work work) {
        Command command = Command.of(new Effect(kind, subject), argv).within(patience);
        return threads.call(
                argv.getFirst() + " of " + subject,
                root.resolve("etc/iscsi").resolve(subject),
                subject.replaceFirst(" .*", ""),
                patience.plus(KILLING),
                work,
                wanting -> programs.run(command, wanting));
    }
}
