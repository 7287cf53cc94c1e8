package dev.fairlead.application.port.out.host;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;

/** Opens the way to a connection's storage host. It reads settings; it does not yet talk to the host. */
@FunctionalInterface
public interface CommandRunnerFactory {
    /**
     * Problems of the settings are reported to the node's {@code Problems}, all of them; where there was one, what is
     * returned is never used.
     */
    CommandRunner open(ConnectionScope scope, ConfigNode file);
}
