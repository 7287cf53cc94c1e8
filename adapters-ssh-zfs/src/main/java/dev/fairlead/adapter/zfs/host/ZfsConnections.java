package dev.fairlead.adapter.zfs.host;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.zfs.dataset.Layout;
import dev.fairlead.zfs.settings.ParentSettings;
import dev.fairlead.zfs.settings.ZfsSettings;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Opens the way to a storage host once for each version of a connection's file, so that its store and its exporter
 * share a session, and the file's problems are told once. The last of them to close ends it.
 */
public final class ZfsConnections {
    private static final String SSH = "sshConnection";

    private final CommandRunnerFactory ssh;
    private final CommandRunnerFactory local;
    private final IdentityHashMap<ConfigNode, Shared> open = new IdentityHashMap<>();

    /** Of each connection the file that was opened last: one that was closed while no call used it is opened again. */
    private final Map<ConnectionName, Met> met = new HashMap<>();

    private record Met(ConfigNode file, SeenParents parents) {}

    /** @param runners by {@code ssh} and {@code local} */
    public ZfsConnections(Map<String, CommandRunnerFactory> runners) {
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

    /** @param file the very same object for all that is opened of one version of a file */
    public synchronized ZfsConnection open(ConnectionScope scope, ConfigNode file) {
        Shared shared = open.computeIfAbsent(file, _ -> new Shared(connect(scope, file)));
        shared.users++;
        return shared.connection(() -> release(file));
    }

    /** Without {@code sshConnection} the pool is this machine's, and the types that say so never leave it. */
    private ZfsConnection connect(ConnectionScope scope, ConfigNode file) {
        boolean here = scope.driverType().startsWith("zfs-local-");
        if (here) {
            file.ignore(SSH);
        }
        boolean isLocal = here || !file.has(SSH);
        CommandRunner runner = (isLocal ? local : ssh).open(scope, file);
        ZfsPrograms programs = ZfsPrograms.read(file, isLocal, here ? "zfs" : "/sbin/zfs");
        ZfsSettings settings = ZfsSettings.read(file.child("zfs"));
        Layout layout = new Layout(ParentSettings.read(file, settings), settings.detachedParent());
        SeenParents parents = parents(scope.name(), file, layout);
        return new ZfsConnection(
                scope,
                new ZfsHost(runner, programs.commands(), scope.name(), parents),
                settings,
                programs,
                layout,
                new Births(),
                runner::close);
    }

    private SeenParents parents(ConnectionName name, ConfigNode file, Layout layout) {
        SeenParents fresh = SeenParents.of(layout, ParentSettings.mark(file)); // read in any case, as every key is
        Met last = met.get(name);
        if (last == null || !last.file().saysTheSameAs(file)) {
            last = new Met(file, fresh);
            met.put(name, last);
        }
        return last.parents();
    }

    private void release(ConfigNode file) {
        Shared last = null;
        synchronized (this) {
            Shared shared = open.get(file);
            if (shared != null && --shared.users == 0) {
                last = open.remove(file);
            }
        }
        if (last != null) {
            last.connection.close(); // not under the lock: it may wait for the network
        }
    }

    private static final class Shared {
        private final ZfsConnection connection;
        private int users;

        Shared(ZfsConnection connection) {
            this.connection = connection;
        }

        ZfsConnection connection(Runnable release) {
            return new ZfsConnection(
                    connection.scope(),
                    connection.host(),
                    connection.settings(),
                    connection.programs(),
                    connection.layout(),
                    connection.births(),
                    new OnlyOnce(release));
        }
    }

    /** Closing twice is closing once. */
    private static final class OnlyOnce implements Runnable {
        private final java.util.concurrent.atomic.AtomicReference<Runnable> left;

        OnlyOnce(Runnable task) {
            this.left = new java.util.concurrent.atomic.AtomicReference<>(task);
        }

        @Override
        public void run() {
            Runnable task = left.getAndSet(() -> {});
            task.run();
        }
    }
}
