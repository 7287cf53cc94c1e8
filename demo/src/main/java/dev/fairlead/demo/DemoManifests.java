package dev.fairlead.demo;

/** Makes the manifests of the objects that the demo creates in a cluster. */
final class DemoManifests {
    private DemoManifests() {}

    static String namespace(String name) {
        return """
                apiVersion: v1
                kind: Namespace
                metadata: {name: %s}
                """.formatted(name);
    }

    /**
     * Returns pods that are spread over the zones, each with a claim of class zones; the first pod on a volume writes
     * its name.
     */
    static String statefulSet(String space, String name, int replicas) {
        return """
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: %2$s, namespace: %1$s}
                spec:
                  replicas: %3$d
                  podManagementPolicy: Parallel
                  selector: {matchLabels: {app: %2$s}}
                  serviceName: %2$s
                  template:
                    metadata: {labels: {app: %2$s}}
                    spec:
                      terminationGracePeriodSeconds: 0
                      topologySpreadConstraints:
                        - maxSkew: 1
                          topologyKey: topology.kubernetes.io/zone
                          whenUnsatisfiable: DoNotSchedule
                          nodeTaintsPolicy: Ignore
                          labelSelector: {matchLabels: {app: %2$s}}
                      containers:
                        - name: user
                          image: lab.test/busybox:1
                          imagePullPolicy: IfNotPresent
                          command: [/bin/sh, -c, '[ -e /data/born ] || hostname >/data/born; sync; exec sleep 3600']
                          readinessProbe: {exec: {command: [test, -s, /data/born]}, periodSeconds: 1}
                          volumeMounts: [{name: data, mountPath: /data}]
                  volumeClaimTemplates:
                    - metadata: {name: data}
                      spec: {accessModes: [ReadWriteOnce], storageClassName: zones, resources: {requests: {storage: 16Mi}}}
                """.formatted(space, name, replicas);
    }
}
