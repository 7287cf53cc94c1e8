package dev.fairlead.application.port.out.node;

import dev.fairlead.application.port.work.Work;
import java.util.Map;

/**
 * Knows the sessions that an attacher made on this node, by its notes, and that nothing tells of any more: a process
 * was killed, or the journal lost.
 */
@FunctionalInterface
public interface OwnSessions {
    /** The implementation for what has no sessions, or keeps no notes of them. */
    OwnSessions NONE = (_, _) -> Map.of();

    /**
     * Returns the names of those of which the journal has no volume and the node's mounts show nothing, and the command
     * by which a human ends each. A session that was being made when its caller went, and that nobody has used, is
     * ended here and not returned.
     *
     * @param journal read after the sessions' volumes were last changed by the caller; all of it could be read
     */
    Map<String, String> leftOver(StageJournal.Inventory journal, Work work);
}
