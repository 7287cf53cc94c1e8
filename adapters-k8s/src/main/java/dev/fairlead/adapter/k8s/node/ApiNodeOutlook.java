package dev.fairlead.adapter.k8s.node;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ApiFailures;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.application.port.out.cluster.NodeOutlook;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads from a Node object whether the node is leaving: cordoned, marked by an autoscaler, shutting down, or gone
 * already.
 *
 * <p>A node that does not answer or lacks resources is not leaving for that reason: if it is leaving, its taints say
 * so.
 */
public final class ApiNodeOutlook implements NodeOutlook {
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    /**
     * The taints set by those that take a node away: kubectl drain, the cluster autoscaler, Karpenter, a cloud's
     * controller.
     */
    private static final Set<String> TAINTS = Set.of(
            "node.kubernetes.io/unschedulable",
            "node.kubernetes.io/out-of-service",
            "node.cloudprovider.kubernetes.io/shutdown",
            "ToBeDeletedByClusterAutoscaler",
            "karpenter.sh/disruption",
            "karpenter.sh/disrupted");

    private final ApiClient api;
    private final Duration patience;

    public ApiNodeOutlook(ApiClient api, Duration patience) {
        this.api = api;
        this.patience = patience;
    }

    @Override
    public Optional<String> leaving(String node) {
        ApiRequest request =
                ApiRequest.get(List.of("api", "v1", "nodes", node), "asking whether the node " + node + " is leaving");
        try {
            return switch (api.ask(request, patience)) {
                case ApiAnswer.Done(JsonObject object) -> why(object);
                case ApiAnswer.Refused refused when refused.isNotFound() -> Optional.of("its Node object is gone");
                case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
            };
        } finally {
            api.idle();
        }
    }

    private static Optional<String> why(JsonObject node) {
        if (Json.text(Json.child(node, "metadata"), "deletionTimestamp").isPresent()) {
            return Optional.of("its Node object is being deleted");
        }
        JsonObject spec = Json.child(node, "spec");
        if (Json.flag(spec, "unschedulable")) {
            return Optional.of("it is cordoned");
        }
        return Json.objects(spec, "taints").stream()
                .flatMap(taint -> Json.text(taint, "key").stream())
                .filter(TAINTS::contains)
                .findFirst()
                .map(key -> "it has the taint " + key)
                .or(() -> shuttingDown(node));
    }

    /**
     * Says that the node is shutting down if the message of its Ready condition does. kubelet has no other way to say
     * that it delays the machine's shutdown; its wording has not changed since 1.21.
     */
    private static Optional<String> shuttingDown(JsonObject node) {
        return Json.objects(Json.child(node, "status"), "conditions").stream()
                .filter(condition ->
                        Json.text(condition, "type").filter("Ready"::equals).isPresent())
                .filter(condition -> Json.text(condition, "message")
                        .filter(message -> message.contains("node is shutting down"))
                        .isPresent())
                .findFirst()
                .map(_ -> "it is shutting down");
    }
}
