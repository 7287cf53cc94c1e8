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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens to LINSTOR's two streams of events and passes hints on. It has none for replicas that come or go: what a node
 * goes through may move any volume, and where a resource may become primary hints at that resource. The streams have no
 * sign of life, so each is opened anew after some minutes; whatever was missed in between, a hint for all makes good. A
 * stream that never came about has missed nothing that it could have told: then the poll is all there is.
 */
final class LinstorEvents implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LinstorEvents.class);
    private static final Duration LONGEST_STREAM = Duration.ofMinutes(5);
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
    private static final String DATA = "data:";

    private final Controllers controllers;
    private final ThreadFactory threads;
    private final Duration longest;
    private final Backoff backoff;
    private final Set<LinstorHandle> known = ConcurrentHashMap.newKeySet();
    private final List<Thread> running = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    LinstorEvents(Controllers controllers, ThreadFactory threads) {
        this(controllers, threads, LONGEST_STREAM, BACKOFF);
    }

    LinstorEvents(Controllers controllers, ThreadFactory threads, Duration longest, Backoff backoff) {
        this.controllers = controllers;
        this.threads = threads;
        this.longest = longest;
        this.backoff = backoff;
    }

    /**
     * Notes the handles that there are: an event names a resource, and that may have several volumes. Those of most, of
     * the number 0, are known from the resource's name.
     *
     * @param resources the resources that LINSTOR has, if all were listed; handles of others are forgotten
     */
    void know(Collection<LinstorHandle> handles, Optional<Set<String>> resources) {
        resources.ifPresent(there -> known.removeIf(handle -> !there.contains(handle.resource())));
        handles.stream().filter(handle -> handle.volume() != 0).forEach(known::add);
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
            AtomicBoolean heard = new AtomicBoolean();
            try {
                controllers.lines(path, longest, "listening to " + path.getLast(), line -> {
                    if (!line.startsWith(DATA)) return;
                    Json.object(line.substring(DATA.length())).ifPresent(data -> {
                        heard.set(true);
                        event.accept(data);
                    });
                });
            } catch (StorageException e) {
                log.debug("LINSTOR's events ended", e);
            }
            boolean brief = System.nanoTime() - start < longest.toNanos() / 10;
            failures = brief ? failures + 1 : 0;
            try {
                Backoff.pause(backoff.after(failures));
            } catch (InterruptedException _) {
                return;
            }
            if (!closed && (heard.get() || !brief)) hints.anyMoved();
        }
    }

    private void moved(JsonObject data, PlacementHints hints) {
        Optional<String> resource = Json.text(data, "resource_name");
        if (resource.isEmpty()) return;
        hints.moved(resource.get());
        hints.moved(resource.get() + "/0");
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
