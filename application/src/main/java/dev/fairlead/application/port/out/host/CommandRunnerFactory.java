package dev.fairlead.application.port.out.host;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;

/** Makes the command runner for a connection's storage host. It reads settings; it does not yet talk to the host. */
@FunctionalInterface
public interface CommandRunnerFactory {
    /**
     * Makes the runner, and reports every problem of the settings to the node's {@code Problems}; if there was one, the
     * runner is never used.
     */
    CommandRunner open(ConnectionScope scope, ConfigNode file);
}
