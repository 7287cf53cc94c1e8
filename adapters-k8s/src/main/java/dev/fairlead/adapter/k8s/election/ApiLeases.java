package dev.fairlead.adapter.k8s.election;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ApiFailures;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.api.ApiRequest.Verb;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads and writes a Lease of {@code coordination.k8s.io/v1}. */
public final class ApiLeases implements Leases {
    private final ApiClient api;
    private final String namespace;
    private final String name;

    public ApiLeases(ApiClient api, String namespace, String name) {
        this.api = api;
        this.namespace = namespace;
        this.name = name;
    }

    @Override
    public Optional<Lease> find(Duration patience) {
        ApiRequest request = ApiRequest.get(path(name), "reading the Lease " + name());
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done(JsonObject object) -> Optional.of(lease(object, request));
            case ApiAnswer.Refused refused when refused.isNotFound() -> Optional.empty();
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    @Override
    public Optional<Lease> create(Lease.Claim claim, Duration patience) {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", name);
        metadata.addProperty("namespace", namespace);
        JsonObject object = new JsonObject();
        object.addProperty("apiVersion", "coordination.k8s.io/v1");
        object.addProperty("kind", "Lease");
        object.add("metadata", metadata);
        object.add("spec", written(new JsonObject(), claim));
        ApiRequest request = ApiRequest.once(Verb.POST, path(), object, "creating the Lease " + name());
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done(JsonObject made) -> Optional.of(lease(made, request));
            case ApiAnswer.Refused refused when refused.isThereAlready() -> Optional.empty();
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    @Override
    public Optional<Lease> update(Lease lease, Lease.Claim claim, Duration patience) {
        JsonObject object = lease.object().deepCopy();
        object.add("spec", written(Json.child(object, "spec"), claim));
        ApiRequest request = ApiRequest.once(Verb.PUT, path(name), object, "writing the Lease " + name());
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done(JsonObject made) -> Optional.of(lease(made, request));
            case ApiAnswer.Refused refused when refused.isConflict() || refused.isNotFound() -> Optional.empty();
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    @Override
    public String name() {
        return namespace + "/" + name;
    }

    private List<String> path(String... below) {
        return Stream.concat(
                        Stream.of("apis", "coordination.k8s.io", "v1", "namespaces", namespace, "leases"),
                        Stream.of(below))
                .toList();
    }

    private static Lease lease(JsonObject object, ApiRequest request) {
        return Lease.of(object)
                .orElseThrow(() -> new StorageException(
                        new Failure.ClusterUnintelligible(request.what(), "an object that is no Lease")));
    }

    private static JsonObject written(JsonObject spec, Lease.Claim claim) {
        spec.addProperty("holderIdentity", claim.holder());
        spec.addProperty("leaseDurationSeconds", claim.seconds());
        spec.addProperty("acquireTime", claim.acquired());
        spec.addProperty("renewTime", claim.renewed());
        spec.addProperty("leaseTransitions", claim.transitions());
        return spec;
    }
}
