package dev.fairlead.lab;

/** The objects that tests in the cluster make. */
final class Manifests {
    /** The keys and the values of a PersistentVolume's required node affinity, joined by blanks. */
    static final String AFFINITY_KEYS = "{.spec.nodeAffinity.required.nodeSelectorTerms[*].matchExpressions[*].key}";

    static final String AFFINITY_VALUES =
            "{.spec.nodeAffinity.required.nodeSelectorTerms[*].matchExpressions[*].values[*]}";

    private Manifests() {}

    /** @param parameters as YAML lines */
    static String storageClass(String name, String binding, String parameters) {
        return """
        apiVersion: storage.k8s.io/v1
        kind: StorageClass
        metadata: {name: %s, labels: {fairlead-test: "yes"}}
        provisioner: csi.fairlead.dev
        volumeBindingMode: %s
        parameters: {%s}
        """.formatted(name, binding, parameters);
    }

    static String claim(String name, String storageClass) {
        return claim(name, storageClass, "16Mi");
    }

    static String claim(String name, String storageClass, String size) {
        return """
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: %s}
        spec: {accessModes: [ReadWriteOnce], storageClassName: %s, resources: {requests: {storage: %s}}}
        """.formatted(name, storageClass, size);
    }

    /** A claim for the content of another claim, or of a snapshot. */
    static String claimFrom(String name, String storageClass, String kind, String source) {
        String group = kind.equals("VolumeSnapshot") ? "apiGroup: snapshot.storage.k8s.io, " : "";
        return claim(name, storageClass)
                .replace("spec: {", "spec: {dataSource: {%skind: %s, name: %s}, ".formatted(group, kind, source));
    }

    static String snapshot(String name, String snapshotClass, String claim) {
        return """
        apiVersion: snapshot.storage.k8s.io/v1
        kind: VolumeSnapshot
        metadata: {name: %s}
        spec: {volumeSnapshotClassName: %s, source: {persistentVolumeClaimName: %s}}
        """.formatted(name, snapshotClass, claim);
    }

    /** A pod that only asks for a processor's share of a node, so that the scheduler likes the others better. */
    static String ballast(String name, String node) {
        return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec:
          nodeSelector: {kubernetes.io/hostname: %s}
          terminationGracePeriodSeconds: 0
          containers:
            - name: weight
              image: lab.test/busybox:1
              imagePullPolicy: IfNotPresent
              command: [sleep, '3600']
              resources: {requests: {cpu: 400m, memory: 128Mi}}
        """.formatted(name, node);
    }

    /** A pod wherever the scheduler puts it, which does something once and then waits. */
    static String pod(String name, String claim, String first) {
        return pod(name, claim, "any", first).replace("  nodeSelector: {kubernetes.io/hostname: any}\n", "");
    }

    /** A pod on a node, which does something once and then waits. */
    static String pod(String name, String claim, String node, String first) {
        return podIn("kubernetes.io/hostname", node, name, claim, first);
    }

    /** A pod that the scheduler places as it likes. */
    static String podAnywhere(String name, String claim, String first) {
        return podIn("kubernetes.io/os", "linux", name, claim, first);
    }

    /** A pod on a node with a label. */
    static String podIn(String label, String value, String name, String claim, String first) {
        return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec:
          nodeSelector: {%s: %s}
          terminationGracePeriodSeconds: 0
          containers:
            - name: user
              image: lab.test/busybox:1
              imagePullPolicy: IfNotPresent
              command: [/bin/sh, -c, '%s && touch /tmp/done && exec sleep 3600']
              readinessProbe: {exec: {command: [test, -e, /tmp/done]}, periodSeconds: 1}
              volumeMounts: [{name: data, mountPath: /data}]
          volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]
        """.formatted(name, label, value, first, claim);
    }

    /** A StatefulSet whose pods are spread over the zones, each with a claim of its own. */
    static String spread(String name, int replicas, String storageClass) {
        return """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: %1$s}
        spec:
          replicas: %2$d
          podManagementPolicy: Parallel
          selector: {matchLabels: {app: %1$s}}
          serviceName: %1$s
          template:
            metadata: {labels: {app: %1$s}}
            spec:
              terminationGracePeriodSeconds: 0
              topologySpreadConstraints:
                - maxSkew: 1
                  topologyKey: topology.kubernetes.io/zone
                  whenUnsatisfiable: DoNotSchedule
                  labelSelector: {matchLabels: {app: %1$s}}
              containers:
                - name: user
                  image: lab.test/busybox:1
                  imagePullPolicy: IfNotPresent
                  command: [/bin/sh, -c, 'hostname >/data/who && exec sleep 3600']
                  volumeMounts: [{name: data, mountPath: /data}]
          volumeClaimTemplates:
            - metadata: {name: data}
              spec: {accessModes: [ReadWriteOnce], storageClassName: %3$s, resources: {requests: {storage: 16Mi}}}
        """.formatted(name, replicas, storageClass);
    }
}
