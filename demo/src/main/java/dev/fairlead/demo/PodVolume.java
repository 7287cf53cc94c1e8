package dev.fairlead.demo;

import java.util.List;

/**
 * Describes a pod and its volume, as the cluster reports them.
 *
 * @param zone of the pod's node
 * @param handle the volume's handle, which names its connection
 * @param volumeZone the zone in which the volume's affinity allows pods
 * @param reachable how many nodes are in that zone
 */
record PodVolume(
        String pod, String node, String zone, String volume, String handle, String volumeZone, long reachable) {
    String connection() {
        return handle.substring(handle.indexOf(':') + 1, Math.max(handle.indexOf(':') + 1, handle.indexOf('/')));
    }

    List<String> row() {
        return List.of(pod, node, zone, volume, connection());
    }
}
