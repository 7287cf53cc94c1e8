package dev.fairlead.linstor.rest;

import com.sun.net.httpserver.HttpExchange;
import dev.fairlead.linstor.cluster.ClusterEvents;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Sends the events of one kind to one listener: rightly, silently, or until it breaks off in the middle of one. */
final class EventStream {
    private static final Map<String, String> STREAMS =
            Map.of("/v1/events/nodes", ClusterEvents.NODES, "/v1/events/drbd/promotion", ClusterEvents.PROMOTION);
    private static final long LOOK = 200;

    private final ClusterEvents events;
    private final String kind;
    private final boolean silent;
    private final boolean breaksOff;

    private EventStream(ClusterEvents events, String kind, Optional<WireFaults.Kind> fault) {
        this.events = events;
        this.kind = kind;
        this.silent = fault.filter(WireFaults.Kind.NOTHING::equals).isPresent();
        this.breaksOff = fault.filter(WireFaults.Kind.HALF_TEXT::equals).isPresent();
    }

    /** Returns the stream that a call asks for; none if it asks for something else, or gets something else for it. */
    static Optional<EventStream> of(ClusterEvents events, String method, String path, Optional<WireFaults.Kind> fault) {
        boolean streams = fault.map(kind -> switch (kind) {
                    case HTML, MISSING, WORDLESS, CUT, SWITCH -> false;
                    default -> true;
                })
                .orElse(true);
        return Optional.ofNullable(STREAMS.get(path))
                .filter(_ -> method.equals("GET") && streams)
                .map(kind -> new EventStream(events, kind, fault));
    }

    /** Sends events until the listener goes or the end has come. */
    void send(HttpExchange exchange, BooleanSupplier ended) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody();
                ClusterEvents.Subscription subscription = events.subscribe(kind)) {
            out.flush();
            while (!ended.getAsBoolean()) {
                ClusterEvents.Event event = subscription.next(LOOK);
                if (event == null || silent) continue;
                String text = "event: " + event.name() + "\ndata: " + event.data() + "\n\n";
                int length = breaksOff ? text.length() / 2 : text.length();
                out.write(text.substring(0, length).getBytes(StandardCharsets.UTF_8));
                out.flush();
                if (breaksOff) {
                    exchange.close();
                    return;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
