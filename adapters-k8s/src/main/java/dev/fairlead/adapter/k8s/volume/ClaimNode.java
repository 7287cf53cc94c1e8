package dev.fairlead.adapter.k8s.volume;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ObjectSearch;
import dev.fairlead.application.port.out.cluster.Whereabouts.Claim;
import dev.fairlead.application.port.out.cluster.Whereabouts.Place;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.util.List;
import java.util.Optional;

/** Reads the annotation by which a claim names the node of its volume to kubevirt's hostpath-provisioner. */
interface ClaimNode {
    String KEY = "kubevirt.io/provisionOnNode";

    /** Returns the place that a claim names, seen from this node; empty if it names none, or there is no such claim. */
    static Optional<Place> of(Claim claim, String here, ObjectSearch search) {
        return named(claim, search).map(node -> {
            if (!ObjectSearch.isName(node)) {
                throw new StorageException(new Failure.InvalidRequest(
                        "annotation " + KEY + " of claim " + claim,
                        "is " + Excerpt.of(node) + " (expected: the name of a node)"));
            }
            return node.equals(here)
                    ? Place.NOWHERE_ELSE
                    : new Place.Elsewhere(Optional.of(node), "its annotation " + KEY + " is " + node);
        });
    }

    private static Optional<String> named(Claim claim, ObjectSearch search) {
        if (!ObjectSearch.isName(claim.namespace())) {
            return Optional.empty();
        }
        List<String> kind = List.of("api", "v1", "namespaces", claim.namespace(), "persistentvolumeclaims");
        return search.get(kind, claim.name())
                .flatMap((JsonObject it) -> Json.text(Json.child(Json.child(it, "metadata"), "annotations"), KEY));
    }
}
