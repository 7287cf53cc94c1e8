package dev.fairlead.adapter.linstor.source;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.linstor.client.Controllers;
import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to LINSTOR's two streams of events and passes hints on. It has none for replicas that come or go: what a node
 * goes through may move any volume, and where a resource may become primary hints at that resource. The streams have no
 * sign of life, so each is opened anew after some minutes; whatever was missed in between, a hint for all makes good.
 */
final class LinstorEvents implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LinstorEvents.class);
    private static final Duration LONGEST_STREAM = Duration.ofMinutes(5);
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
    private static final String DATA = "data:";

    private final Controllers controllers;
    private final ThreadFactory threads;
    private final Set<LinstorHandle> known = ConcurrentHashMap.newKeySet();
    private final List<Thread> running = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    LinstorEvents(Controllers controllers, ThreadFactory threads) {
        this.controllers = controllers;
        this.threads = threads;
    }

    /** Notes the handles that there are: an event names a resource, and that may have several volumes. */
    void know(Collection<LinstorHandle> handles) {
        known.addAll(handles);
    }

    void listen(PlacementHints hints) {
        start(List.of("v1", "events", "nodes"), hints, _ -> hints.anyMoved());
        start(List.of("v1", "events", "drbd", "promotion"), hints, data -> moved(data, hints));
    }

    private void start(List<String> path, PlacementHints hints, Consumer<JsonObject> event) {
        Thread thread = threads.newThread(() -> follow(path, hints, event));
        running.add(thread);
        thread.start();
    }

    private void follow(List<String> path, PlacementHints hints, Consumer<JsonObject> event) {
        int failures = 0;
        while (!closed) {
            long start = System.nanoTime();
            try {
                controllers.lines(path, LONGEST_STREAM, "listening to " + path.getLast(), line -> {
                    if (line.startsWith(DATA))
                        Json.object(line.substring(DATA.length())).ifPresent(event);
                });
            } catch (StorageException e) {
                log.debug("LINSTOR's events ended", e);
            }
            boolean brief = System.nanoTime() - start < LONGEST_STREAM.toNanos() / 10;
            failures = brief ? failures + 1 : 0;
            try {
                Backoff.pause(BACKOFF.after(failures));
            } catch (InterruptedException _) {
                return;
            }
            if (!closed) hints.anyMoved();
        }
    }

    private void moved(JsonObject data, PlacementHints hints) {
        Optional<String> resource = Json.text(data, "resource_name");
        if (resource.isEmpty()) return;
        hints.moved(resource.get());
        known.stream()
                .filter(handle -> handle.resource().equals(resource.get()))
                .forEach(handle -> hints.moved(handle.resource() + "/" + handle.volume()));
    }

    @Override
    public void close() {
        closed = true;
        running.forEach(Thread::interrupt);
    }
}
