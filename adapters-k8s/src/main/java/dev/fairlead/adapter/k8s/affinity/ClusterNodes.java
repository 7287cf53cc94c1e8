package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.application.port.out.placement.KnownNodes;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.NodeRequirement;
import dev.fairlead.domain.affinity.NodeTerm;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Asks for one node of an affinity's labels, and keeps each answer for a short time. For use by one thread. */
public final class ClusterNodes implements KnownNodes {
    private static final Duration KEPT = Duration.ofSeconds(30);
    private static final int MOST_KEPT = 2_000;
    private static final List<String> NODES = List.of("api", "v1", "nodes");

    private final ApiCalls api;
    private final Duration patience;
    private final Map<String, Kept> kept = new HashMap<>();

    public ClusterNodes(ApiCalls api, Duration patience) {
        this.api = api;
        this.patience = patience;
    }

    private record Kept(Optional<String> obstacle, long since) {}

    @Override
    public Optional<String> obstacle(NodeAffinity affinity) {
        Optional<String> last = Optional.empty();
        for (NodeTerm term : affinity.terms()) {
            last = selector(term).flatMap(this::kept);
            if (last.isEmpty()) {
                return Optional.empty();
            }
        }
        return last.map(why -> affinity.terms().size() == 1 ? why : why + ", and so for all of its places");
    }

    /** Returns the term as the server selects by labels; empty if that cannot be said, and it counts as met. */
    private static Optional<String> selector(NodeTerm term) {
        boolean plain = !term.all().isEmpty()
                && term.all().stream().noneMatch(NodeRequirement::onField)
                && term.all().stream().allMatch(one -> List.of("In", "Exists").contains(one.operator()));
        return Optional.of(term.all().stream()
                        .map(one -> one.operator().equals("Exists")
                                ? one.key()
                                : one.key() + " in (" + String.join(",", one.values()) + ")")
                        .collect(Collectors.joining(",")))
                .filter(_ -> plain);
    }

    private Optional<String> kept(String selector) {
        long now = System.nanoTime();
        Kept before = kept.get(selector);
        if (before != null && now - before.since() < KEPT.toNanos()) {
            return before.obstacle();
        }
        if (kept.size() >= MOST_KEPT) {
            kept.clear();
        }
        Optional<String> asked = asked(selector);
        kept.put(selector, new Kept(asked, now));
        return asked;
    }

    private Optional<String> asked(String selector) {
        ApiRequest request =
                ApiRequest.get(NODES, Map.of("labelSelector", selector, "limit", "1"), "looking for a node");
        try {
            return switch (api.ask(request, patience)) {
                case ApiAnswer.Done(JsonObject list) ->
                    Json.objects(list, "items").isEmpty()
                            ? Optional.of("Kubernetes has no node with the labels that its data needs: " + selector)
                            : Optional.empty();
                case ApiAnswer.Refused refused ->
                    Optional.of("whether Kubernetes has a node of the labels " + selector + " cannot be read: "
                            + refused.status() + " " + refused.message());
            };
        } catch (StorageException e) {
            return Optional.of("whether Kubernetes has a node of the labels " + selector + " cannot be read: "
                    + e.failure().message());
        }
    }
}
