package dev.fairlead.application.port.out.node;

import java.util.Map;

/** Tells of the calls to the kernel that this node has left behind. */
@FunctionalInterface
public interface KernelCalls {
    /**
     * Returns how many calls have been left behind and not come back, by the server at which they hang (empty if it is
     * none, {@code unknown} if only its target is known) and by what they are: a {@code question}, a {@code change}, or
     * {@code lasting}, which may go on by right. The three are there without a server also if nothing hangs.
     */
    Map<String, Map<String, Integer>> hanging();
}
