package dev.fairlead.adapter.node.filesystem;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Runs programs on block devices, and reads them, on threads that can be left behind if a device hangs. */
final class DevicePrograms {
    /** The exit code that says that there is no such program. */
    static final int MISSING = 127;

    /**
     * The longest time for a program that makes, checks or grows a file system. It is longer than a caller waits, so
     * that a large device is not begun anew by each of its calls.
     */
    static final Duration LONGEST = KernelThreads.LONGEST;

    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final KernelThreads threads;
    private final CommandRunner programs;

    /**
     * The time for which the end of a program is kept that nobody heard of. Callers ask more often, and the device may
     * have been used elsewhere later.
     */
    static final Duration KEPT = Duration.ofMinutes(5);

    /** Holds how programs failed after their callers stopped waiting; the next call finds it. */
    private final Map<String, FailedProgram> failures = new ConcurrentHashMap<>();

    private final InstantSource clock;
    private final Partitions partitions;

    DevicePrograms(KernelThreads threads, CommandRunner programs, InstantSource clock, Partitions partitions) {
        this.partitions = partitions;
        this.threads = threads;
        this.programs = programs;
        this.clock = clock;
    }

    /** @param devices the names of the device, and of that of which it is a partition */
    private record FailedProgram(Ended ended, Instant at, Set<String> devices) {}

    /**
     * Forgets how programs on a device or its partitions failed after their callers stopped waiting; those that are
     * asked for again run anew. The device may be gone: it is also known by the path that it had. Nothing is opened.
     */
    void forget(Path device) {
        Set<String> names = names(device);
        failures.values().removeIf(it -> !Collections.disjoint(it.devices(), names));
    }

    /** Returns all by which a device is known: its path, what that leads to, and its node's number. */
    private static Set<String> names(Path device) {
        Set<String> names = new HashSet<>();
        names.add(device.toString());
        names.add(node(device).toString());
        try {
            names.add(number(device));
        } catch (IOException _) {
            // it is gone
        }
        return names;
    }

    private Set<String> namesWithDisk(Path device) {
        Set<String> names = names(device);
        try {
            partitions.disk(node(device)).map(DevicePrograms::names).ifPresent(names::addAll);
        } catch (IOException _) {
            // it is gone, and comes anew with another node
        }
        return names;
    }

    /** Returns the number of a device node in its folder; a device that comes anew has another one. */
    private static String number(Path device) throws IOException {
        return String.valueOf(
                Files.readAttributes(device, BasicFileAttributes.class).fileKey());
    }

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
        Command command = command(kind, argv, device, deadline);
        return threads.call(
                what(argv, device),
                node(device),
                deadline.plus(MARGIN),
                work,
                wanting -> programs.run(command, wanting));
    }

    /** Describes a program whose thread is left behind, and counts for its device, until the program is gone. */
    private static Command command(String kind, List<String> argv, Path device, Duration deadline) {
        return Command.of(new Effect(kind, device.toString()), argv)
                .within(deadline)
                .awaitedUntilGone();
    }

    /** Runs a program that has to succeed, and may take longer than its caller waits. */
    void lasted(String kind, List<String> argv, Path device, Work work) {
        Ended ended = lasting(kind, argv, device, work);
        if (!ended.succeeded()) {
            throw failed(argv, device, ended);
        }
    }

    /**
     * Runs a program that may take longer than its caller waits, whatever its exit code. It goes on without the caller,
     * who asks again. One that has failed meanwhile is not run anew by the next call, which is told how it has failed.
     */
    Ended lasting(String kind, List<String> argv, Path device, Work work) {
        Command command = command(kind, argv, device, LONGEST);
        return threads.lasting(what(argv, device), node(device), LONGEST.plus(MARGIN), work, wanting -> {
            String key = key(argv, device);
            failures.values().removeIf(it -> it.at().isBefore(clock.instant().minus(KEPT)));
            Optional<Ended> earlier = Optional.ofNullable(failures.remove(key)).map(FailedProgram::ended);
            if (earlier.isPresent()) {
                return earlier.get();
            }
            Ended ended = programs.run(command, wanting);
            if (!ended.succeeded() && !isHeard(wanting)) {
                failures.put(key, new FailedProgram(ended, clock.instant(), namesWithDisk(device)));
            }
            return ended;
        });
    }

    /** Names a program on a device; a device that has come anew has another node, and so another name. */
    private static String key(List<String> argv, Path device) throws IOException {
        return String.join(" ", argv) + " " + number(device);
    }

    private static boolean isHeard(Work wanting) {
        try {
            wanting.checkCancelled();
            return true;
        } catch (StorageException _) {
            return false;
        }
    }

    static StorageException failed(List<String> argv, Path device, Ended ended) {
        return KernelThreads.fault(what(argv, device), ended.trouble().replaceAll("\\s+", " "));
    }

    private static String what(List<String> argv, Path device) {
        return argv.getFirst() + " of " + device;
    }

    <T> T onThread(String what, Path device, Work work, KernelThreads.Action<T> action) {
        return threads.call(what, node(device), KernelThreads.PATIENCE, work, action);
    }

    /** Returns what a link to a device leads to, so that all that is done with it is seen to be of one device. */
    private static Path node(Path device) {
        try {
            return device.toRealPath();
        } catch (IOException _) {
            return device; // it is missing, which whoever opens it will tell
        }
    }
}
