package dev.fairlead.adapter.local.host;

import dev.fairlead.adapter.local.host.ToolSettings.ToolSource;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Turns a program's name and arguments into the command line that runs it where the settings say: as it is, or by
 * {@code nsenter} among the mounts and in the network of a process of the host. No shell reads it.
 */
final class HostTools {
    /** The place at which a container is shown the host's processes. */
    private static final Path SHOWN = Path.of("/host/proc");

    private static final String DAEMON = "iscsid";
    private static final int START_TIME = 19;

    private final ToolSettings settings;
    private final Path processes;
    private final Path self;

    /**
     * @param processes the folder of the host's processes, as the kernel shows them
     * @param self this process in such a folder
     */
    HostTools(ToolSettings settings, Path processes, Path self) {
        this.settings = settings;
        this.processes = processes;
        this.self = self;
    }

    /** Finds the host as this machine or this container's runtime shows it. */
    static HostTools ofThisMachine(ToolSettings settings) {
        Path own = Path.of("/proc");
        return new HostTools(settings, Files.isDirectory(SHOWN.resolve("1")) ? SHOWN : own, own.resolve("self"));
    }

    /** Returns the command line that runs a program. */
    List<String> commandLine(List<String> argv) {
        return switch (settings.sourceOf(name(argv))) {
            case CONTAINER -> argv;
            case HOST -> beside(processes.resolve("1"), argv);
            case ISCSID -> beside(daemon(), argv);
        };
    }

    /** Returns what to say if there is no such program; nothing of a program that is no node's. */
    String hint(List<String> argv) {
        String tool = name(argv);
        if (!ToolSettings.isKnown(tool)) {
            return "";
        }
        ToolSource source = settings.sourceOf(tool);
        String where = source == ToolSource.HOST && isOwn(processes.resolve("1"))
                ? "in the mounts of process 1 as this process sees it; a container is shown the host's at " + SHOWN
                : "";
        return " (looked for " + tool + " as fairlead.node.tools says: " + source.word()
                + (where.isEmpty() ? "" : ", " + where) + ")";
    }

    /** Returns the program's name; that of its helper if {@code mount} has one with a source of its own. */
    private static String name(List<String> argv) {
        String program = argv.getFirst();
        String name = program.substring(program.lastIndexOf('/') + 1);
        boolean ofType = name.equals("mount") && argv.size() > 2 && argv.get(1).equals("-t");
        return ofType && ToolSettings.isKnown("mount." + argv.get(2)) ? "mount." + argv.get(2) : name;
    }

    private List<String> beside(Path process, List<String> argv) {
        if (isOwn(process)) {
            return argv;
        }
        Path namespaces = process.resolve("ns");
        List<String> line = new ArrayList<>(
                List.of("nsenter", "--mount=" + namespaces.resolve("mnt"), "--net=" + namespaces.resolve("net"), "--"));
        line.addAll(argv);
        return line;
    }

    /** Returns whether a process has the mounts of this one, or may not be looked at and hence not be joined either. */
    private boolean isOwn(Path process) {
        try {
            return Files.readSymbolicLink(process.resolve("ns/mnt"))
                    .equals(Files.readSymbolicLink(self.resolve("ns/mnt")));
        } catch (IOException _) {
            return true;
        }
    }

    /** Returns the oldest process of the daemon, since a container of somebody's may run another one. */
    private Path daemon() {
        try (Stream<Path> all = Files.list(processes)) {
            return all.filter(it -> it.getFileName().toString().chars().allMatch(Character::isDigit))
                    .filter(it ->
                            read(it.resolve("comm")).filter(DAEMON::equals).isPresent())
                    .min(Comparator.comparingLong(HostTools::startTime))
                    .orElseThrow(() -> missing("there is no process " + DAEMON + " in " + processes));
        } catch (IOException | UncheckedIOException e) {
            throw missing("the host's processes cannot be listed: " + e.getMessage());
        }
    }

    private static StorageException missing(String detail) {
        return new StorageException(new Failure.NodeFault(
                "looking for " + DAEMON,
                detail + "; it has to run on the host, and a container is shown the host's processes at " + SHOWN));
    }

    /** Returns when a process started, in the kernel's units; last of all if it has just ended. */
    private static long startTime(Path process) {
        return read(process.resolve("stat"))
                .map(text -> text.substring(text.lastIndexOf(')') + 2).split(" ", -1))
                .filter(fields -> fields.length > START_TIME)
                .map(fields -> Long.parseLong(fields[START_TIME]))
                .orElse(Long.MAX_VALUE);
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException _) {
            return Optional.empty(); // It has ended meanwhile.
        }
    }
}
