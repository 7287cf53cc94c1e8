package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Bound volumes with every kind of field, and the changes that move them from one node to another. */
final class SimulatedVolumes {
    static final String KIND = "api/v1/persistentvolumes/";
    static final String CLAIMS = "api/v1/namespaces/apps/persistentvolumeclaims/";
    static final String INTENTS = "api/v1/namespaces/storage/configmaps/";

    private SimulatedVolumes() {}

    static String name(int index) {
        return "pvc-" + index;
    }

    static void add(SimulatedApi api, int index) {
        JsonObject claim = api.add(CLAIMS + "claim-" + index, """
                {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "claim-%1$d", "namespace": "apps"},
                 "spec": {"volumeName": "pvc-%1$d"}}""".formatted(index));
        String policy = index % 3 == 0 ? "Retain" : "Delete";
        String annotations = index % 5 == 0 ? "" : """
                "annotations": {"pv.kubernetes.io/provisioned-by": "org.example.csi", "example.com/odd~key": "x"},""";
        api.add(KIND + name(index), """
                {"apiVersion": "v1", "kind": "PersistentVolume",
                 "metadata": {"name": "pvc-%1$d", %4$s "labels": {"a": "b"}, "creationTimestamp": "2026-01-01T00:00:00Z",
                   "finalizers": ["kubernetes.io/pv-protection", "external-provisioner.volume.kubernetes.io/finalizer"],
                   "ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "1"}],
                   "managedFields": [{"manager": "csi-provisioner"}]},
                 "spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "mountOptions": ["noatime"],
                   "claimRef": {"kind": "PersistentVolumeClaim", "namespace": "apps", "name": "claim-%1$d", "uid": "%2$s"},
                   "csi": {"driver": "org.example.csi", "volumeHandle": "vol-%1$d", "fsType": "ext4",
                     "nodeExpandSecretRef": {"name": "s", "namespace": "n"}, "volumeAttributes": {"k": "v"}},
                   "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                     {"key": "example.com/host", "operator": "In", "values": ["a"]}]}]}},
                   "persistentVolumeReclaimPolicy": "%3$s", "storageClassName": "fast",
                   "volumeAttributesClassName": "gold", "volumeMode": "Filesystem", "fieldOfTomorrow": {"n": 12345678901234567890}},
                 "status": {"phase": "Bound"}}""".formatted(
                        index, claim.getAsJsonObject("metadata").get("uid").getAsString(), policy, annotations));
    }

    static AffinityChange change(SimulatedApi api, int index, String... hosts) {
        VolumeObject volume = volume(api, index);
        return new AffinityChange(
                volume.name(), volume.uid(), volume.affinity(), on(hosts), "test", "why", Optional.empty());
    }

    static VolumeObject volume(SimulatedApi api, int index) {
        return new VolumeObject(api.get(KIND + name(index)).orElseThrow());
    }

    static NodeAffinity on(String... hosts) {
        List<TopologySegment> segments = Arrays.stream(hosts)
                .map(host -> TopologySegment.of(Map.of("example.com/host", host)))
                .toList();
        return NodeAffinity.of(VolumePlacement.within(segments)).orElseThrow();
    }

    /** What has to be the same before and after: all but the affinity and what the server gives. */
    static JsonObject kept(JsonObject volume) {
        JsonObject kept = volume.deepCopy();
        kept.remove("status");
        JsonObject metadata = kept.getAsJsonObject("metadata");
        for (String given : List.of("uid", "resourceVersion", "creationTimestamp", "managedFields")) {
            metadata.remove(given);
        }
        kept.getAsJsonObject("spec").remove("nodeAffinity");
        if (metadata.has("annotations")
                && metadata.getAsJsonObject("annotations").isEmpty()) {
            metadata.remove("annotations");
        }
        JsonArray sorted = new JsonArray();
        metadata.getAsJsonArray("finalizers").asList().stream()
                .map(one -> one.getAsString())
                .sorted()
                .forEach(sorted::add);
        metadata.add("finalizers", sorted);
        return kept;
    }

    /** Gives the first volume an annotation, as somebody else does. */
    static void annotate(SimulatedApi api, String key, String value) {
        JsonObject volume = api.get(KIND + "pvc-1").orElseThrow();
        volume.getAsJsonObject("metadata").getAsJsonObject("annotations").addProperty(key, value);
        api.put(KIND + "pvc-1", volume);
    }
}
