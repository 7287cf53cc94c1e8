package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Connects this node's kernel to subsystems. */
interface Fabrics {
    /** Returns the names of the options that the kernel takes; none if it does not tell. */
    Set<String> options(Work work) throws IOException;

    /** Returns what the kernel does now before it connects for anybody else, in words; empty if it does nothing. */
    Optional<String> atWork();

    /**
     * Connects to a subsystem.
     *
     * @param shown the subsystem and the way to it, for the log
     * @param options all options in one text, keys among them
     */
    void connect(String shown, Secret options, Work work) throws IOException;
}
