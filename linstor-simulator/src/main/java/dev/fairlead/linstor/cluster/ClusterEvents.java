package dev.fairlead.linstor.cluster;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Hands events to those who listen: no id, no sign of life, and nothing of what happened before. */
public final class ClusterEvents {
    /** The stream of what happens to nodes. */
    public static final String NODES = "nodes";

    /** The stream of what may become primary where. */
    public static final String PROMOTION = "promotion";

    private final List<Subscription> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean disorder = new AtomicBoolean();
    private final AtomicReference<@Nullable Event> held = new AtomicReference<>();

    /** One event, as it goes over the wire. */
    public record Event(String stream, String name, JsonObject data) {}

    /** Keeps the events that one listener has not taken yet. */
    public final class Subscription implements AutoCloseable {
        private final String stream;
        private final LinkedBlockingQueue<Event> queue = new LinkedBlockingQueue<>();

        private Subscription(String stream) {
            this.stream = stream;
        }

        /** Returns the next event, or none within the time. */
        public @Nullable Event next(long millis) throws InterruptedException {
            return queue.poll(millis, TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            listeners.remove(this);
        }
    }

    /** Begins to listen. */
    public Subscription subscribe(String stream) {
        Subscription made = new Subscription(stream);
        listeners.add(made);
        return made;
    }

    /** Returns how many listen to a stream now. */
    public int listening(String stream) {
        return (int) listeners.stream().filter(it -> it.stream.equals(stream)).count();
    }

    /** Tells nothing more to those who listen now: who told them is gone. */
    public void leave() {
        listeners.clear();
    }

    /** Delivers events in pairs, the later one first. */
    public void disorder(boolean on) {
        disorder.set(on);
        Event last = held.getAndSet(null);
        if (last != null) deliver(last);
    }

    void publish(String stream, String name, JsonObject data) {
        Event event = new Event(stream, name, data);
        if (!disorder.get()) {
            deliver(event);
            return;
        }
        Event earlier = held.getAndSet(null);
        if (earlier == null) {
            held.set(event);
        } else {
            deliver(event);
            deliver(earlier);
        }
    }

    private void deliver(Event event) {
        listeners.stream().filter(it -> it.stream.equals(event.stream())).forEach(it -> it.queue.add(event));
    }
}
