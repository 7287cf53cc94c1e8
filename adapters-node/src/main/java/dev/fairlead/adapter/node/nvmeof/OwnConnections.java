package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.file.NodeFile;
import dev.fairlead.application.port.work.Work;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Remembers to which subsystems Fairlead itself connected this node, so that connections that the node's administrator
 * or its start made stay. It is noted before the first connection is made, and holds until the node starts again, when
 * all of them are gone.
 *
 * @param folder on a disk of the node
 * @param boot the kernel's file that has another text after each start of the node
 */
record OwnConnections(Path folder, Path boot) {
    private static final String KIND = "nvme-note";

    private NodeFile file(String nqn) {
        UUID name = UUID.nameUUIDFromBytes(nqn.getBytes(StandardCharsets.UTF_8));
        return new NodeFile(folder.resolve("nvme-" + name));
    }

    private String line(String nqn) {
        return new NodeFile(boot).line() + " " + nqn;
    }

    boolean has(String nqn) {
        return file(nqn).line().equals(line(nqn));
    }

    void note(String nqn, Work work) {
        if (!has(nqn)) {
            file(nqn).write(KIND, line(nqn), work);
        }
    }

    void forget(String nqn, Work work) {
        file(nqn).remove(KIND, work);
    }
}
