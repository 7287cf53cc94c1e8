package dev.fairlead.adapter.k8s.node;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ApiFailures;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.application.port.out.cluster.NodeLabels;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reads the labels of a Node object. */
public final class ApiNodeLabels implements NodeLabels {
    /** The longest wait, since a node starts before its network is complete; after it a visible restart is better. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ApiClient api;
    private final Duration patience;

    public ApiNodeLabels(ApiClient api, Duration patience) {
        this.api = api;
        this.patience = patience;
    }

    @Override
    public Map<String, String> of(String node) {
        ApiRequest request =
                ApiRequest.get(List.of("api", "v1", "nodes", node), "reading the labels of the node " + node);
        try {
            return switch (api.ask(request, patience)) {
                case ApiAnswer.Done(JsonObject object) -> labels(object, request);
                case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
            };
        } finally {
            api.idle();
        }
    }

    private static Map<String, String> labels(JsonObject object, ApiRequest request) {
        if (Json.text(object, "kind").filter("Node"::equals).isEmpty()) {
            throw new StorageException(new Failure.ClusterUnintelligible(request.what(), "an object that is no Node"));
        }
        return Json.texts(Json.child(Json.child(object, "metadata"), "labels"));
    }
}
