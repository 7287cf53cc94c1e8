package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file system of 64 MiB for each zone, at the folder {@code small} that the zone's nodes see, and that a central
 * controller sees on any node. Their images have no name and their loop devices go with the last mount, so that the end
 * of the cluster is their end too, whoever forgets them.
 */
record SmallFileSystems(KubeCluster cluster, Map<String, String> zoneOfNode) {
    private static final Duration SOON = Duration.ofSeconds(60);

    static SmallFileSystems mount(KubeCluster cluster) throws IOException {
        Map<String, String> zoneOfNode = new TreeMap<>();
        cluster.kubectl(
                        SOON,
                        "get",
                        "nodes",
                        "-o",
                        "jsonpath={range .items[*]}{.metadata.name}={.metadata.labels.topology\\.kubernetes\\.io/zone}{'\\n'}{end}")
                .lines()
                .forEach(line -> zoneOfNode.put(line.replaceFirst("=.*", ""), line.replaceFirst(".*=", "")));
        SmallFileSystems all = new SmallFileSystems(cluster, zoneOfNode);
        for (String zone : Map.copyOf(zoneOfNode).values().stream().distinct().toList()) {
            all.mount(zone);
        }
        return all;
    }

    private void mount(String zone) throws IOException {
        String image = "/srv/shared/small-" + zone + ".img";
        String device = onNode("node-1", """
                truncate -s 64M %1$s
                mkfs.ext4 -q -m 0 %1$s
                losetup --find --show %1$s
                rm %1$s
                """.formatted(image)).strip();
        for (Map.Entry<String, String> node : zoneOfNode.entrySet()) {
            mount(node.getKey(), device, "/srv/all-zones/" + zone + "/small");
            if (node.getValue().equals(zone)) {
                mount(node.getKey(), device, "/srv/zones/" + zone + "/small");
            }
        }
        // In use, it goes when it is used no more.
        onNode("node-1", "losetup --detach " + device);
    }

    private void mount(String node, String device, String folder) throws IOException {
        onNode(node, "mkdir -p %2$s; mount %1$s %2$s".formatted(device, folder));
    }

    /** Unmounts them everywhere, and asserts that nothing of them is left. */
    void unmount() throws IOException {
        for (String node : zoneOfNode.keySet()) {
            onNode(node, """
                    for folder in /srv/zones/*/small /srv/all-zones/*/small; do
                      ! mountpoint -q $folder || umount $folder
                    done
                    """);
        }
        assertThat(onNode("node-1", "rmdir /srv/all-zones/*/small; losetup --list --noheadings | grep small || true"))
                .isEmpty();
        for (String node : zoneOfNode.keySet()) {
            assertThat(onNode(node, "grep -e '/small ' /proc/*/mountinfo || true"))
                    .isEmpty();
        }
    }

    private String onNode(String node, String script) throws IOException {
        return cluster.onNode(SOON, node, "sh", "-euc", script);
    }
}
