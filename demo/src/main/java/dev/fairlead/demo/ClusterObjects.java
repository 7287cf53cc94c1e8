package dev.fairlead.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads what the demo has made in the cluster. */
record ClusterObjects(LabCluster lab, String space) {
    private static final String ZONE = ".metadata.labels.topology\\.kubernetes\\.io/zone";
    private static final String AFFINITY =
            ".spec.nodeAffinity.required.nodeSelectorTerms[*].matchExpressions[*].values[*]";

    Map<String, String> zoneOfNode() throws IOException, InterruptedException {
        Map<String, String> zones = new TreeMap<>();
        for (List<String> node : lines("get", "nodes", "-o", columns("{.metadata.name}", "{" + ZONE + "}"))) {
            zones.put(node.get(0), node.get(1));
        }
        return zones;
    }

    /** Returns the pods that have volumes, in the order of their names. */
    List<PodVolume> all() throws IOException, InterruptedException {
        Map<String, String> zones = zoneOfNode();
        Map<String, List<String>> volumes = new TreeMap<>();
        for (List<String> volume : persistentVolumes()) {
            volumes.put(volume.get(0), volume);
        }
        List<PodVolume> all = new ArrayList<>();
        for (List<String> pod : lines(
                "-n",
                space,
                "get",
                "pods",
                "-o",
                columns(
                        "{.metadata.name}",
                        "{.spec.nodeName}",
                        "{.spec.volumes[0].persistentVolumeClaim.claimName}"))) {
            List<String> volume = volumes.getOrDefault(pod.get(2), List.of());
            if (!volume.isEmpty()) {
                String zone = volume.get(3);
                long reachable = zones.values().stream().filter(zone::equals).count();
                all.add(new PodVolume(
                        pod.get(0),
                        pod.get(1),
                        zones.getOrDefault(pod.get(1), "nowhere"),
                        volume.get(1),
                        volume.get(2),
                        zone,
                        reachable));
            }
        }
        return all;
    }

    /** Returns the names of the PersistentVolumes of all claims in the demo's namespace. */
    List<String> volumes() throws IOException, InterruptedException {
        return persistentVolumes().stream().map(volume -> volume.get(1)).toList();
    }

    /** Returns claim, name, handle, zone and namespace of each of them. */
    private List<List<String>> persistentVolumes() throws IOException, InterruptedException {
        return lines(
                        "get",
                        "pv",
                        "-o",
                        columns(
                                "{.spec.claimRef.name}",
                                "{.metadata.name}",
                                "{.spec.csi.volumeHandle}",
                                "{" + AFFINITY + "}",
                                "{.spec.claimRef.namespace}"))
                .stream()
                .filter(volume -> volume.get(4).equals(space))
                .toList();
    }

    private static String columns(String... paths) {
        return "jsonpath={range .items[*]}" + String.join("|", paths) + "{'\\n'}{end}";
    }

    private List<List<String>> lines(String... words) throws IOException, InterruptedException {
        return lab.kubectl(words)
                .lines()
                .map(line -> List.of(line.split("\\|", -1)))
                .toList();
    }
}
