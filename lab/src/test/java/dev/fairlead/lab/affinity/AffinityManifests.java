package dev.fairlead.lab.affinity;

import com.google.gson.JsonObject;
import java.util.List;

/** Writes the objects and files of an {@link AffinityWorld}. */
final class AffinityManifests {
    private AffinityManifests() {}

    /** Returns the file of a connection that is reached in these zones. */
    static String connection(List<String> zones) {
        List<String> places = zones.stream()
                .map(zone -> "{requirements: {zone: %s}}".formatted(zone))
                .toList();
        return """
                driver: zfs-generic-nfs
                sshConnection: {host: nas.example.org, port: 22, username: root, password: secret}
                zfs: {datasetParentName: tank/v}
                nfs:
                  shareHost: nas.example.org
                  shareStrategy: setDatasetProperties
                  shareStrategySetDatasetProperties: {properties: {sharenfs: "on"}}
                proxy: {perDriver: {topology: [%s]}}
                """.formatted(String.join(", ", places));
    }

    static JsonObject volume(int at, String connection) {
        return AffinityWorld.json("""
                    {"apiVersion": "v1", "kind": "PersistentVolume",
                     "metadata": {"name": "pv-%1$03d", "labels": {"a": "b"},
                      "annotations": {"pv.kubernetes.io/provisioned-by": "org.example.csi", "n": "%1$d"},
                      "finalizers": ["external-attacher/org-example-csi", "kubernetes.io/pv-protection"]},
                     "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"],
                      "mountOptions": ["noatime", "discard"], "persistentVolumeReclaimPolicy": "%2$s",
                      "storageClassName": "fast", "claimRef": {"namespace": "default", "name": "claim-%1$03d"},
                      "csi": {"driver": "org.example.csi", "volumeHandle": "v:%3$s/vol-%1$d",
                       "volumeAttributes": {"k": "v"},
                       "nodeExpandSecretRef": {"name": "s", "namespace": "secrets"}},
                      "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                       {"key": "org.example.csi/zone", "operator": "In", "values": ["z0"]}]}]}}}}
                    """.formatted(at, at % 2 == 0 ? "Delete" : "Retain", connection));
    }

    static JsonObject claim(int at) {
        return AffinityWorld.json("""
                    {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
                     "metadata": {"name": "claim-%1$03d", "namespace": "default"},
                     "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "fast",
                      "volumeName": "pv-%1$03d", "resources": {"requests": {"storage": "1Gi"}}}}
                    """.formatted(at));
    }

    /** Returns a node that is in a zone. */
    static JsonObject node(String zone) {
        return AffinityWorld.json("""
                {"apiVersion": "v1", "kind": "Node",
                 "metadata": {"name": "node-%1$s", "labels": {"%2$s/zone": "%1$s"}}}
                """.formatted(zone, AffinityWorld.PREFIX));
    }

    /** Returns the attachment of a volume to a node, which is not made yet. */
    static JsonObject attachment(String volume, String node) {
        return AffinityWorld.json("""
                {"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment", "metadata": {"name": "%1$s"},
                 "spec": {"attacher": "%3$s", "nodeName": "%2$s", "source": {"persistentVolumeName": "%1$s"}}}
                """.formatted(volume, node, AffinityWorld.PREFIX));
    }
}
