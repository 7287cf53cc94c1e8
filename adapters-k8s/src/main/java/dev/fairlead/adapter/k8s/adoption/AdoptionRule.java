package dev.fairlead.adapter.k8s.adoption;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.application.port.out.adoption.AdoptionTarget;
import dev.fairlead.application.port.out.adoption.AdoptionTarget.PoolFolder;
import dev.fairlead.http.Json;
import java.util.Map;
import java.util.Optional;

/**
 * Says what becomes of one PersistentVolume: one of the former provisioner gets a CSI source of the same folder, and
 * one that got that gets its former source back. It reads nothing but the object, so that the same object always
 * becomes the same.
 */
sealed interface AdoptionRule {
    /** The name of the former provisioner. */
    String PROVISIONER = "kubevirt.io/hostpath-provisioner";

    /** The annotation by which that provisioner says on which node a volume is. */
    String NODE = "kubevirt.io/provisionOnNode";

    /** The annotation by which it knows that it made a volume. */
    String IDENTITY = "hostPathProvisionerIdentity";

    /** The annotation by which Kubernetes knows which provisioner deletes a volume. */
    String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

    /** Keeps what a volume was, so that it can be that again. */
    String WAS = "fairlead.dev/adopted-from";

    /** Says what a PersistentVolume becomes. */
    sealed interface Verdict {
        /**
         * @param object the whole {@code spec} and {@code annotations} that it gets
         * @param from its source now, in words
         * @param to its source then, in words
         */
        record Change(JsonObject object, String from, String to) implements Verdict {}

        /** It is one of those that are meant, and stays as it is. */
        record Kept(String why) implements Verdict {}

        /** It is another one. */
        record Other() implements Verdict {}
    }

    Verdict of(JsonObject volume);

    /** Returns what it becomes, without words; empty if it stays as it is. */
    default Optional<JsonObject> becomes(JsonObject volume) {
        return of(volume) instanceof Verdict.Change(JsonObject object, String _, String _)
                ? Optional.of(object)
                : Optional.empty();
    }

    /** Makes volumes of the former provisioner volumes of the driver. */
    record DriverSource(AdoptionTarget target) implements AdoptionRule {
        @Override
        public Verdict of(JsonObject volume) {
            JsonObject spec = Json.child(volume, "spec");
            JsonObject hostPath = Json.child(spec, "hostPath");
            String path = Json.text(hostPath, "path").orElse("");
            Map<String, String> annotations = annotations(volume);
            boolean theirs = annotations.containsKey(IDENTITY)
                    && PROVISIONER.equals(annotations.getOrDefault(PROVISIONED_BY, PROVISIONER));
            if (path.isEmpty() || !theirs) {
                return new Verdict.Other();
            }
            String node = annotations.getOrDefault(NODE, "");
            Optional<PoolFolder> folder = target.folder(path);
            if (node.isEmpty()) {
                return new Verdict.Kept("it has no annotation " + NODE + ", so its node is not known");
            }
            if (folder.isEmpty()) {
                return new Verdict.Kept(path + " is directly below none of the pools "
                        + target.pools().values() + ", or its name does not end with the UUID of a claim");
            }
            return unusable(volume)
                    .<Verdict>map(Verdict.Kept::new)
                    .orElseGet(() -> adopted(spec, annotations, folder.get(), node));
        }

        private Verdict adopted(JsonObject spec, Map<String, String> annotations, PoolFolder folder, String node) {
            String handle = target.handle(folder);
            JsonObject was = new JsonObject();
            was.add("hostPath", Json.child(spec, "hostPath").deepCopy());
            if (spec.has("nodeAffinity")) {
                was.add("nodeAffinity", Json.child(spec, "nodeAffinity").deepCopy());
            }
            Optional.ofNullable(annotations.get(PROVISIONED_BY)).ifPresent(by -> was.addProperty(PROVISIONED_BY, by));
            JsonObject attributes = new JsonObject();
            attributes.addProperty("storagePool", folder.pool());
            JsonObject csi = new JsonObject();
            csi.addProperty("driver", target.driver());
            csi.addProperty("volumeHandle", handle);
            csi.add("volumeAttributes", attributes);
            JsonObject next = spec.deepCopy();
            next.remove("hostPath");
            next.add("csi", csi);
            next.add("nodeAffinity", on(target.topologyKey(), node));
            JsonObject noted = json(annotations);
            noted.addProperty(PROVISIONED_BY, target.driver());
            noted.addProperty(WAS, was.toString());
            return new Verdict.Change(
                    both(next, noted),
                    "hostPath "
                            + Json.text(Json.child(spec, "hostPath"), "path").orElse("") + " on " + node,
                    "csi " + target.driver() + " " + handle);
        }
    }

    /** Gives volumes their former source back. */
    record HostpathSource(AdoptionTarget target) implements AdoptionRule {
        @Override
        public Verdict of(JsonObject volume) {
            JsonObject spec = Json.child(volume, "spec");
            JsonObject csi = Json.child(spec, "csi");
            Map<String, String> annotations = annotations(volume);
            String handle = Json.text(csi, "volumeHandle").orElse("");
            boolean ours =
                    Json.text(csi, "driver").filter(target.driver()::equals).isPresent();
            if (!ours || !annotations.containsKey(WAS)) {
                return new Verdict.Other();
            }
            JsonObject was = Json.object(annotations.getOrDefault(WAS, "")).orElseGet(JsonObject::new);
            JsonObject hostPath = Json.child(was, "hostPath");
            String path = Json.text(hostPath, "path").orElse("");
            // The annotation alone could name any folder of the node.
            if (target.folder(path).map(target::handle).filter(handle::equals).isEmpty()) {
                return new Verdict.Kept("its annotation " + WAS + " names no folder of a pool that is its handle's ("
                        + (path.isEmpty() ? "no path" : path) + ")");
            }
            return unusable(volume).<Verdict>map(Verdict.Kept::new).orElseGet(() -> givenBack(spec, annotations, was));
        }

        private Verdict givenBack(JsonObject spec, Map<String, String> annotations, JsonObject was) {
            JsonObject next = spec.deepCopy();
            String handle = Json.text(Json.child(spec, "csi"), "volumeHandle").orElse("");
            next.remove("csi");
            next.remove("nodeAffinity");
            next.add("hostPath", Json.child(was, "hostPath").deepCopy());
            if (was.has("nodeAffinity")) {
                next.add("nodeAffinity", Json.child(was, "nodeAffinity").deepCopy());
            }
            JsonObject noted = json(annotations);
            noted.remove(WAS);
            noted.remove(PROVISIONED_BY);
            Json.text(was, PROVISIONED_BY).ifPresent(by -> noted.addProperty(PROVISIONED_BY, by));
            return new Verdict.Change(
                    both(next, noted),
                    "csi " + target.driver() + " " + handle,
                    "hostPath " + Json.text(Json.child(was, "hostPath"), "path").orElse(""));
        }
    }

    private static Map<String, String> annotations(JsonObject volume) {
        return Json.texts(Json.child(Json.child(volume, "metadata"), "annotations"));
    }

    /** Returns why a volume cannot be changed now; empty if it can. */
    private static Optional<String> unusable(JsonObject volume) {
        JsonObject status = Json.child(volume, "status");
        String phase = Json.text(status, "phase").orElse("");
        if (Json.child(volume, "metadata").has("deletionTimestamp")) {
            return Optional.of("it is being deleted");
        }
        return phase.equals("Bound")
                ? Optional.empty()
                : Optional.of("it is " + (phase.isEmpty() ? "of no phase yet" : phase) + ", and not bound to a claim");
    }

    private static JsonObject on(String key, String node) {
        JsonArray values = new JsonArray();
        values.add(node);
        JsonObject expression = new JsonObject();
        expression.addProperty("key", key);
        expression.addProperty("operator", "In");
        expression.add("values", values);
        JsonObject term = new JsonObject();
        term.add("matchExpressions", array(expression));
        JsonObject required = new JsonObject();
        required.add("nodeSelectorTerms", array(term));
        JsonObject affinity = new JsonObject();
        affinity.add("required", required);
        return affinity;
    }

    private static JsonArray array(JsonObject one) {
        JsonArray array = new JsonArray();
        array.add(one);
        return array;
    }

    private static JsonObject json(Map<String, String> texts) {
        JsonObject object = new JsonObject();
        texts.forEach(object::addProperty);
        return object;
    }

    private static JsonObject both(JsonObject spec, JsonObject annotations) {
        JsonObject object = new JsonObject();
        object.add("spec", spec);
        object.add("annotations", annotations);
        return object;
    }
}
