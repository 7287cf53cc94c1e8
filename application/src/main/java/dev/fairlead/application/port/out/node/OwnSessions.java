package dev.fairlead.application.port.out.node;

import dev.fairlead.application.port.work.Work;
import java.util.List;
import java.util.Optional;

/**
 * Knows the sessions that an attacher made on this node and that nothing tells of any more: a process was killed, or
 * the journal lost. Never one that another program or an administrator has made.
 */
public interface OwnSessions {
    /** The implementation for what has no sessions, or keeps no notes of them. */
    OwnSessions NONE = new OwnSessions() {
        @Override
        public List<String> leftOver(Work work) {
            return List.of();
        }

        @Override
        public Optional<String> endUnlessUsed(String session, Work work) {
            return Optional.empty();
        }
    };

    /**
     * Returns the names of those of which the journal has no volume, no call is at work on and the node's mounts show
     * nothing.
     */
    List<String> leftOver(Work work);

    /**
     * Ends one of these if it is left over still and the kernel says that nobody uses its devices.
     *
     * @return what uses it, in words; empty if it has ended, or a volume needs it
     */
    Optional<String> endUnlessUsed(String session, Work work);
}
