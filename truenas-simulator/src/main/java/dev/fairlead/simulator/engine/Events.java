package dev.fairlead.simulator.engine;

import com.google.gson.JsonObject;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Remembers who has asked to hear of which collection. */
public final class Events {
    private record Subscription(Caller caller, String collection) {}

    private final Map<String, Subscription> subscriptions = new ConcurrentHashMap<>();
    private final Supplier<Boolean> lost;

    /** Makes the list; an event is not told while the supplier says that it is lost. */
    public Events(Supplier<Boolean> lost) {
        this.lost = lost;
    }

    /** Subscribes a caller and returns the subscription's name. */
    public String subscribe(Caller caller, String collection) {
        String id = UUID.randomUUID().toString();
        subscriptions.put(id, new Subscription(caller, collection));
        return id;
    }

    /** Ends a subscription. */
    public void unsubscribe(String id) {
        subscriptions.remove(id);
    }

    /** Forgets a caller who has gone. */
    public void forget(Caller caller) {
        subscriptions.values().removeIf(subscription -> subscription.caller() == caller);
    }

    /** Tells everybody who asked of a change. */
    public void tell(String collection, String change, JsonObject fields) {
        subscriptions.values().stream()
                .filter(subscription -> subscription.collection().equals(collection)
                        || subscription.collection().equals("*"))
                .forEach(subscription -> tell(subscription, collection, change, fields));
    }

    private void tell(Subscription subscription, String collection, String change, JsonObject fields) {
        if (lost.get()) return;
        JsonObject params = JsonTools.object("msg", change, "collection", collection, "id", fields.get("id"));
        if (!change.equals("removed")) params.add("fields", fields);
        subscription.caller().tell(JsonTools.object("jsonrpc", "2.0", "method", "collection_update", "params", params));
    }
}
