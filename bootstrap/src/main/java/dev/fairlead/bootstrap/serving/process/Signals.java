package dev.fairlead.bootstrap.serving.process;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Handles SIGTERM and SIGINT: the first one ends the process in good order, the second at once.
 *
 * <p>It uses {@code sun.misc.Signal} by reflection, since the compiler's warning of it cannot be turned off; a shutdown
 * hook, the public alternative, can neither choose the exit code nor see a second signal.
 */
public final class Signals {
    private static final int KILLED_BY_SIGNAL = 128 + 15;

    private final ThreadFactory threads;
    private final Runnable ending;
    private final AtomicBoolean seen = new AtomicBoolean();

    private Signals(ThreadFactory threads, Runnable ending) {
        this.threads = threads;
        this.ending = ending;
    }

    /** @param ending runs once, on a thread of its own */
    public static void handle(ThreadFactory threads, Runnable ending) {
        var signals = new Signals(threads, ending);
        try {
            for (String name : List.of("TERM", "INT")) {
                signals.register(name);
            }
        } catch (ReflectiveOperationException _) {
            Runtime.getRuntime().addShutdownHook(threads.newThread(ending));
        }
    }

    private void register(String name) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        InvocationHandler received = (proxy, method, arguments) -> switch (method.getName()) {
            case "handle" -> {
                received();
                yield null;
            }
            case "hashCode" -> name.hashCode();
            case "equals" -> false;
            default -> "Fairlead's signal handler";
        };
        Object registered = Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handler}, received);
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), registered);
    }

    private void received() {
        if (seen.getAndSet(true)) {
            Runtime.getRuntime().halt(KILLED_BY_SIGNAL);
        }
        threads.newThread(ending).start();
    }
}
