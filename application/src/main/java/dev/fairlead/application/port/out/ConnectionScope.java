package dev.fairlead.application.port.out;

import dev.fairlead.domain.connection.ConnectionName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tells a store or exporter of the connection that it serves, and holds the clients that they share. There is one scope
 * for each version of a connection's file.
 */
public final class ConnectionScope {
    /** Limits the calls that are at work on the storage at once if the connection's file does not say how many. */
    public static final int USUAL_CONCURRENCY = 32;

    private final ConnectionName name;
    private final String block;
    private final Optional<String> instanceId;
    private final String installation;
    private final boolean nodeLocal;
    private final int concurrency;
    private final Map<Class<?>, Opened<?>> clients = new HashMap<>();

    /**
     * @param block the name of the block of the connection file that the driver type's store and exporter read
     * @param instanceId the {@code instance_id} key
     * @param installation identifies the installation of Fairlead (its CSI names), so that two installations do not
     *     share storage by accident
     * @param nodeLocal whether the storage is the node's own, so that it is looked for on this machine and nowhere else
     * @param concurrency how many calls at most are at work on the storage at once
     */
    public ConnectionScope(
            ConnectionName name,
            String block,
            Optional<String> instanceId,
            String installation,
            boolean nodeLocal,
            int concurrency) {
        this.name = name;
        this.block = block;
        this.instanceId = instanceId;
        this.installation = installation;
        this.nodeLocal = nodeLocal;
        this.concurrency = concurrency;
    }

    /** Creates the scope of a connection with the usual concurrency. */
    public ConnectionScope(
            ConnectionName name, String block, Optional<String> instanceId, String installation, boolean nodeLocal) {
        this(name, block, instanceId, installation, nodeLocal, USUAL_CONCURRENCY);
    }

    /** Creates the scope of a connection whose storage is not a node's own. */
    public ConnectionScope(ConnectionName name, String block, Optional<String> instanceId, String installation) {
        this(name, block, instanceId, installation, false);
    }

    public ConnectionName name() {
        return name;
    }

    public String block() {
        return block;
    }

    public Optional<String> instanceId() {
        return instanceId;
    }

    public String installation() {
        return installation;
    }

    public boolean nodeLocal() {
        return nodeLocal;
    }

    public int concurrency() {
        return concurrency;
    }

    /**
     * Gives the client of this type to whoever asks for it: the first of them opens it, so that the settings' problems
     * are told once, and it is closed when the last has let go of it.
     */
    public synchronized <T> SharedClient<T> shared(Class<T> type, Supplier<T> opening, Consumer<T> closing) {
        Opened<?> known = clients.get(type);
        Opened<T> opened = known == null ? new Opened<>(opening.get()) : new Opened<>(type, known);
        clients.put(type, opened);
        return opened.held(() -> {
            if (release(type)) {
                closing.accept(opened.client()); // not under the lock: it may wait for the network
            }
        });
    }

    private synchronized boolean release(Class<?> type) {
        Opened<?> left = clients.get(type);
        if (left != null && left.holders() > 1) {
            clients.put(type, new Opened<>(left.client(), left.holders() - 1));
            return false;
        }
        clients.remove(type);
        return true;
    }

    /** @param holders who have not let go of it */
    private record Opened<T>(T client, int holders) {
        Opened(T client) {
            this(client, 1);
        }

        Opened(Class<T> type, Opened<?> before) {
            this(type.cast(before.client), before.holders + 1);
        }

        SharedClient<T> held(Runnable release) {
            var isHeld = new AtomicBoolean(true);
            T held = client;
            return new SharedClient<>() {
                @Override
                public T get() {
                    return held;
                }

                @Override
                public void close() {
                    if (isHeld.getAndSet(false)) {
                        release.run();
                    }
                }
            };
        }
    }
}
