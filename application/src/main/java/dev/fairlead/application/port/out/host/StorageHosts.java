package dev.fairlead.application.port.out.host;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import java.util.Map;

/**
 * Opens the way to a connection's storage host: by SSH if its file has the block {@code sshConnection}, and otherwise
 * on this machine. A connection's store and exporter share one session.
 */
public final class StorageHosts {
    private static final String SSH = "sshConnection";

    private final CommandRunnerFactory ssh;
    private final CommandRunnerFactory local;

    /** @param runners by {@code ssh} and {@code local} */
    public StorageHosts(Map<String, CommandRunnerFactory> runners) {
        this.ssh = required(runners, "ssh");
        this.local = required(runners, "local");
    }

    private static CommandRunnerFactory required(Map<String, CommandRunnerFactory> runners, String key) {
        CommandRunnerFactory factory = runners.get(key);
        if (factory == null) {
            throw new IllegalStateException("no way to run programs is called '" + key + "'");
        }
        return factory;
    }

    public SharedClient<StorageHost> open(ConnectionScope scope, ConfigNode file) {
        return opened(scope, file, !file.has(SSH));
    }

    /**
     * Opens this machine as the host of storage that never leaves it, whatever host the defaults of all connections
     * name.
     */
    public SharedClient<StorageHost> openHere(ConnectionScope scope, ConfigNode file) {
        file.ignore(SSH);
        return opened(scope, file, true);
    }

    private SharedClient<StorageHost> opened(ConnectionScope scope, ConfigNode file, boolean isLocal) {
        return scope.shared(
                StorageHost.class,
                () -> new StorageHost((isLocal ? local : ssh).open(scope, file), isLocal, sudo(file)),
                host -> host.runner().close());
    }

    /** Returns democratic-csi's key for the program, which is the same for every store. */
    private static Elevation sudo(ConfigNode file) {
        ConfigNode paths = file.child("zfs").child("cli").child("paths");
        return Elevation.by(paths.optional("sudo", StorageHosts::program, "a path, such as /usr/bin/sudo")
                .orElse("/usr/bin/sudo"));
    }

    private static String program(String path) {
        if (path.isBlank() || path.startsWith("-") || path.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("'" + path + "' is no program");
        }
        return path;
    }
}
