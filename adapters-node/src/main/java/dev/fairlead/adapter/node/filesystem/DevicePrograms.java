package dev.fairlead.adapter.node.filesystem;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Runs programs on block devices, and reads them, on threads that can be left behind if a device hangs. */
record DevicePrograms(KernelThreads threads, CommandRunner programs) {
    /** The exit code that says that there is no such program. */
    static final int MISSING = 127;

    private static final Duration MARGIN = Duration.ofSeconds(2);

    /** Runs a program that has to succeed, and returns what it wrote. */
    String succeeded(String kind, List<String> argv, Path device, Duration deadline, Work work) {
        Ended ended = ended(kind, argv, device, deadline, work);
        if (!ended.succeeded()) {
            throw failed(argv, device, ended);
        }
        return ended.output();
    }

    /** Runs a program, whatever its exit code. */
    Ended ended(String kind, List<String> argv, Path device, Duration deadline, Work work) {
        Command command = Command.of(new Effect(kind, device.toString()), argv).within(deadline);
        return threads.call(
                what(argv, device), device, deadline.plus(MARGIN), work, wanting -> programs.run(command, wanting));
    }

    static StorageException failed(List<String> argv, Path device, Ended ended) {
        return KernelThreads.fault(what(argv, device), ended.trouble().replaceAll("\\s+", " "));
    }

    private static String what(List<String> argv, Path device) {
        return argv.getFirst() + " of " + device;
    }

    <T> T onThread(String what, Path device, Work work, KernelThreads.Action<T> action) {
        return threads.call(what, device, KernelThreads.PATIENCE, work, action);
    }
}
