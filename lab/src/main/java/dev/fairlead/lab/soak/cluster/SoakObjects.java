package dev.fairlead.lab.soak.cluster;

import dev.fairlead.lab.soak.record.RecordText;
import dev.fairlead.lab.soak.record.WriterScript;

/** The objects that the soak makes, as YAML. */
final class SoakObjects {
    private SoakObjects() {}

    static String namespace(String name) {
        return """
        apiVersion: v1
        kind: Namespace
        metadata: {name: %s}
        """.formatted(name);
    }

    static String claim(String name, String storageClass, long bytes) {
        return """
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: %s}
        spec: {accessModes: [ReadWriteOnce], storageClassName: %s, resources: {requests: {storage: "%d"}}}
        """.formatted(name, storageClass, bytes);
    }

    static String size(long bytes) {
        return "{\"spec\": {\"resources\": {\"requests\": {\"storage\": \"%d\"}}}}".formatted(bytes);
    }

    /** Returns a pod that writes to a claim: it has little but the volume, so that a hundred fit on a node. */
    static String pod(String name, String node, String claim, boolean first) {
        return """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec:
          nodeName: %s
          terminationGracePeriodSeconds: 1
          automountServiceAccountToken: false
          enableServiceLinks: false
          tolerations: [{operator: Exists}]
          volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]
          containers:
            - name: writer
              image: "lab.test/busybox:1"
              imagePullPolicy: IfNotPresent
              resources: {requests: {cpu: 1m, memory: 4Mi}}
              volumeMounts: [{name: data, mountPath: /data}]
              env:
                - {name: name, value: "%s"}
                - {name: seed, value: "%d"}
                - {name: first, value: "%s"}
              command: [sh, -c]
              args:
                - |
        %s""".formatted(
                        name,
                        node,
                        claim,
                        claim,
                        new RecordText(claim).seed(),
                        first ? "yes" : "no",
                        WriterScript.TEXT.indent(10));
    }
}
