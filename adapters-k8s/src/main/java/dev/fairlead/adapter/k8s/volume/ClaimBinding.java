package dev.fairlead.adapter.k8s.volume;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ObjectSearch;
import dev.fairlead.application.port.out.cluster.Whereabouts.Claim;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Reads whether the class of a claim binds it before a node is chosen for its pod, and says nothing of the node itself;
 * what classes say is remembered.
 */
final class ClaimBinding {
    private static final List<String> CLASSES = List.of("apis", "storage.k8s.io", "v1", "storageclasses");

    /** The key of old claims, which a provisioner still looks at first. */
    private static final String OLD_KEY = "volume.beta.kubernetes.io/storage-class";

    /** A class is not changed, but one of its name may be made anew. */
    private static final long REMEMBERED = Duration.ofMinutes(1).toNanos();

    private static final int MOST = 100;

    private final Map<String, Said> known = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;

    ClaimBinding(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Returns the name of a claim's class if it binds at once; empty if it does not, if one of both is not there, and
     * if the class has {@code allowedTopologies}: whoever made it has chosen the nodes.
     */
    Optional<String> atOnce(Claim claim, ObjectSearch search) {
        if (!ObjectSearch.isName(claim.namespace())) {
            return Optional.empty();
        }
        List<String> kind = List.of("api", "v1", "namespaces", claim.namespace(), "persistentvolumeclaims");
        return search.get(kind, claim.name()).flatMap(ClaimBinding::itsClass).filter(name -> bindsAtOnce(name, search));
    }

    private static Optional<String> itsClass(JsonObject claim) {
        return Json.text(Json.child(Json.child(claim, "metadata"), "annotations"), OLD_KEY)
                .filter(name -> !name.isEmpty())
                .or(() -> Json.text(Json.child(claim, "spec"), "storageClassName"));
    }

    private boolean bindsAtOnce(String name, ObjectSearch search) {
        Said before = known.get(name);
        if (before != null && nanoTime.getAsLong() - before.when() < REMEMBERED) {
            return before.atOnce();
        }
        long now = nanoTime.getAsLong();
        boolean atOnce = search.get(CLASSES, name)
                .filter(found -> Json.text(found, "volumeBindingMode")
                        .filter("Immediate"::equals)
                        .isPresent())
                .filter(found -> Json.objects(found, "allowedTopologies").isEmpty())
                .isPresent();
        if (known.size() >= MOST) {
            known.clear();
        }
        known.put(name, new Said(atOnce, now));
        return atOnce;
    }

    private record Said(boolean atOnce, long when) {}
}
