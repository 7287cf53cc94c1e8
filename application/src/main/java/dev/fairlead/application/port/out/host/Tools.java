package dev.fairlead.application.port.out.host;

import dev.fairlead.application.port.work.Work;
import java.util.List;

/** Tells which programs this node has for attaching and mounting. */
public interface Tools {
    /** Asks every program that a node may run for its version; one that is not there, or hangs, is told as such. */
    List<Tool> versions(Work work);

    /**
     * Describes a program.
     *
     * @param source where it is taken from, as the settings say it
     * @param version what it says of its version; empty if it cannot be run
     * @param trouble why it cannot be run; empty if it can
     */
    record Tool(String name, String source, String version, String trouble) {
        public boolean isThere() {
            return trouble.isEmpty();
        }
    }
}
