package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.api.ObjectSearch;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Looks up nodes' labels and StorageClasses, and keeps each for a short time. */
final class ClusterFacts {
    private static final Duration KEPT = Duration.ofSeconds(30);
    private static final List<String> NODES = List.of("api", "v1", "nodes");
    private static final List<String> CLASSES = List.of("apis", "storage.k8s.io", "v1", "storageclasses");

    private final ApiCalls api;
    private final Duration patience;
    private final LongSupplier nanos;
    private final Map<String, Kept> kept = new ConcurrentHashMap<>();
    private volatile long cleared;

    ClusterFacts(ApiCalls api, Duration patience) {
        this(api, patience, System::nanoTime);
    }

    ClusterFacts(ApiCalls api, Duration patience, LongSupplier nanos) {
        this.api = api;
        this.patience = patience;
        this.nanos = nanos;
        this.cleared = nanos.getAsLong();
    }

    /** Returns the number of objects that are kept. */
    int size() {
        return kept.size();
    }

    /** Holds what matters of a StorageClass. */
    record ClassFacts(String provisioner, Map<String, String> parameters, Map<String, String> annotations) {
        /**
         * Returns the parameters if they are this driver's; another's may have the same names and mean other things.
         */
        Optional<Map<String, String>> parametersOf(String driver) {
            return Optional.of(parameters).filter(_ -> provisioner.equals(driver));
        }
    }

    private record Kept(Optional<JsonObject> object, boolean failed, long since) {}

    /** Returns a node's labels; empty if the node is not there or cannot be read. */
    Optional<Map<String, String>> labels(String node) {
        return object(NODES, node).map(object -> Json.texts(Json.child(Json.child(object, "metadata"), "labels")));
    }

    /** Returns a class; empty if it is not there or cannot be read. */
    Optional<ClassFacts> storageClass(String name) {
        return object(CLASSES, name)
                .map(object -> new ClassFacts(
                        Json.text(object, "provisioner").orElse(""),
                        Json.texts(Json.child(object, "parameters")),
                        Json.texts(Json.child(Json.child(object, "metadata"), "annotations"))));
    }

    /** Says whether nothing can be said of a class, since it could not be read. */
    boolean isUnreadable(String storageClass) {
        return kept(CLASSES, storageClass).failed();
    }

    private Optional<JsonObject> object(List<String> kind, String name) {
        return kept(kind, name).object();
    }

    private Kept kept(List<String> kind, String name) {
        String key = kind.getLast() + "/" + name;
        long now = nanos.getAsLong();
        if (now - cleared >= KEPT.toNanos()) {
            // Nodes come and go under ever new names.
            cleared = now;
            kept.values().removeIf(one -> isOld(one, now));
        }
        return kept.compute(key, (_, before) -> before == null || isOld(before, now) ? read(kind, name, now) : before);
    }

    private static boolean isOld(Kept one, long now) {
        return now - one.since() >= KEPT.toNanos();
    }

    private Kept read(List<String> kind, String name, long now) {
        if (!ObjectSearch.isName(name)) {
            return new Kept(Optional.empty(), false, now);
        }
        ApiRequest request =
                ApiRequest.get(Stream.concat(kind.stream(), Stream.of(name)).toList(), "reading " + kind.getLast());
        try {
            return switch (api.ask(request, patience)) {
                case ApiAnswer.Done(JsonObject object) -> {
                    object.remove("status");
                    Json.child(object, "metadata").remove("managedFields");
                    yield new Kept(Optional.of(object), false, now);
                }
                case ApiAnswer.Refused refused -> new Kept(Optional.empty(), !refused.isNotFound(), now);
            };
        } catch (StorageException _) {
            return new Kept(Optional.empty(), true, now);
        }
    }
}
