package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.block.SysfsFiles;
import dev.fairlead.adapter.node.file.NodeFile;
import dev.fairlead.application.port.work.Work;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Remembers to which subsystems Fairlead itself connected this node, so that connections that the node's administrator
 * or its start made stay. It is noted before the first connection is made, and holds until the node starts again, when
 * all of them are gone.
 */
final class OwnConnections {
    private static final String KIND = "nvme-note";
    private static final Pattern NAME = Pattern.compile("nvme-[0-9a-f-]{36}");

    /** Ends the line of a subsystem whose connections were let stay for somebody else. */
    private static final String LENT = " lent";

    /** Ends the line of a subsystem from before its first connection until that is attached. */
    private static final String CONNECTING = " connecting";

    private final Path folder;
    private final Path boot;
    private final long settled;
    private final Set<String> begun = ConcurrentHashMap.newKeySet();

    /**
     * @param folder on a disk of the node
     * @param boot the kernel's file that has another text after each start of the node
     * @param late how long from now connections may come that a process before this one began
     */
    OwnConnections(Path folder, Path boot, Duration late) {
        this.folder = folder;
        this.boot = boot;
        this.settled = System.nanoTime() + late.toNanos();
    }

    private NodeFile file(String nqn) {
        UUID name = UUID.nameUUIDFromBytes(nqn.getBytes(StandardCharsets.UTF_8));
        return new NodeFile(folder.resolve("nvme-" + name));
    }

    private String line(String nqn) {
        return new NodeFile(boot).line() + " " + nqn;
    }

    boolean has(String nqn) {
        String line = file(nqn).line();
        return line.equals(line(nqn)) || line.equals(line(nqn) + LENT) || line.equals(line(nqn) + CONNECTING);
    }

    /**
     * Returns whether connections can only be of an attempt that was under way here, and has attached nothing. Versions
     * that did not note that have none.
     */
    boolean isConnecting(String nqn) {
        return file(nqn).line().equals(line(nqn) + CONNECTING);
    }

    /** Notes that the first connection is about to be made. */
    void connecting(String nqn, Work work) {
        if (!isConnecting(nqn)) {
            file(nqn).write(KIND, line(nqn) + CONNECTING, work);
            begun.add(nqn);
        }
    }

    /** Notes that a volume is attached by what was about to be made. */
    void attached(String nqn, Work work) {
        if (isConnecting(nqn)) {
            file(nqn).write(KIND, line(nqn), work);
        }
    }

    /** Notes that connections stay, since somebody else used them when the last volume was given back. */
    void lend(String nqn, Work work) {
        if (has(nqn)) {
            file(nqn).write(KIND, line(nqn) + LENT, work);
        }
    }

    /** Forgets a subsystem to which there is no connection, unless one may still come that an earlier process began. */
    void forget(String nqn, Work work) {
        boolean mayCome = !begun.remove(nqn) && isConnecting(nqn) && System.nanoTime() - settled < 0;
        if (!mayCome) {
            file(nqn).remove(KIND, work);
        }
    }

    /** Returns all subsystems whose connections are this driver's, except those that were let stay for others. */
    List<String> all() {
        String start = line("");
        return SysfsFiles.children(folder, it -> NAME.matcher(it).matches()).stream()
                .map(it -> new NodeFile(it).line())
                .filter(it -> it.startsWith(start) && !it.endsWith(LENT))
                .map(it -> it.substring(start.length()).replace(CONNECTING, ""))
                .toList();
    }
}
