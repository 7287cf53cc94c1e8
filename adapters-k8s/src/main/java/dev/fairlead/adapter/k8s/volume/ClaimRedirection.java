package dev.fairlead.adapter.k8s.volume;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ObjectSearch;
import dev.fairlead.application.port.out.cluster.Whereabouts.Claim;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a claim from this node to another one by the annotation with which the scheduler chooses a node, and which a
 * node's provisioner writes, too, if nobody has chosen. The scheduler then considers that node alone.
 */
final class ClaimRedirection {
    private static final Logger log = LoggerFactory.getLogger(ClaimRedirection.class);
    private static final String SELECTED = "volume.kubernetes.io/selected-node";

    private final ApiClient api;
    private final WhereaboutsSettings here;

    ClaimRedirection(ApiClient api, WhereaboutsSettings here) {
        this.api = api;
        this.here = here;
    }

    /** Turns a claim to a node and says whether it was done; if it was not, the scheduler chooses again. */
    boolean to(String node, Claim claim, Duration patience) {
        ObjectSearch search =
                ObjectSearch.within(patience, api, "turning the claim " + claim.namespace() + "/" + claim.name());
        try {
            return serves(node, search) && turned(claim, node, search);
        } catch (StorageException e) {
            log.atWarn()
                    .addKeyValue("claim", claim.namespace() + "/" + claim.name())
                    .addKeyValue("node", node)
                    .log("not turned to the node of its source: {}", e.failure().message());
            return false;
        }
    }

    /** Says whether the node serves one of these drivers; a claim turned to another node would wait there for ever. */
    private boolean serves(String node, ObjectSearch search) {
        return search.get(List.of("apis", "storage.k8s.io", "v1", "csinodes"), node).stream()
                .flatMap(found -> Json.objects(Json.child(found, "spec"), "drivers").stream())
                .anyMatch(driver -> Json.text(driver, "name")
                        .filter(here.drivers()::contains)
                        .isPresent());
    }

    private boolean turned(Claim claim, String node, ObjectSearch search) {
        if (!ObjectSearch.isName(claim.namespace())) {
            return false;
        }
        List<String> kind = List.of("api", "v1", "namespaces", claim.namespace(), "persistentvolumeclaims");
        Optional<JsonObject> found = search.get(kind, claim.name()).filter(this::isOurs);
        if (found.isEmpty()) {
            return false;
        }
        JsonObject turned = found.get();
        turned.getAsJsonObject("metadata").getAsJsonObject("annotations").addProperty(SELECTED, node);
        return search.put(kind, claim.name(), turned);
    }

    /** Says whether this node was chosen for the claim, and nothing has come of it yet. */
    private boolean isOurs(JsonObject claim) {
        JsonObject metadata = Json.child(claim, "metadata");
        return Json.text(Json.child(metadata, "annotations"), SELECTED)
                        .filter(here.node()::equals)
                        .isPresent()
                && Json.text(metadata, "deletionTimestamp").isEmpty()
                && Json.text(Json.child(claim, "spec"), "volumeName")
                        .filter(name -> !name.isEmpty())
                        .isEmpty();
    }
}
