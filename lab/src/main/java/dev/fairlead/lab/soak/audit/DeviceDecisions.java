package dev.fairlead.lab.soak.audit;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts what the drivers of the nodes have decided of devices, over their restarts: each process counts from nothing,
 * so what was read last of one that is gone is added up. What it decided between that and its end is not known.
 */
public final class DeviceDecisions {
    /** The script that reads them, at the port that lab/deploy.d/zfs-generic-all.yaml says. */
    private static final String READ = """
            exec python3 -c '
            import urllib.request
            for line in urllib.request.urlopen("http://127.0.0.1:9836/metrics", timeout=20).read().decode().splitlines():
                if line.startswith("fairlead_node_device_decisions_total"):
                    print(line)'
            """;

    private static final Pattern LINE =
            Pattern.compile("fairlead_node_device_decisions_total\\{decision=\"([a-z_]+)\"\\} ([0-9.E+]+)");

    private final Machines machines;
    private final Map<String, Map<String, Long>> last = new HashMap<>();
    private final SortedMap<String, Long> totals = new TreeMap<>();

    public DeviceDecisions(Machines machines) {
        this.machines = machines;
    }

    /** Reads what a node's driver has decided; throws if it does not answer. */
    public void look(String node) throws IOException {
        count(node, machines.onNode(node, READ));
    }

    /** Adds what is new in a node's metrics. A process that counts less than before is another one. */
    synchronized void count(String node, String metrics) {
        Map<String, Long> now = new HashMap<>();
        for (String line : metrics.lines().toList()) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                now.put(matcher.group(1), Math.round(Double.parseDouble(matcher.group(2))));
            }
        }
        Map<String, Long> before = last.getOrDefault(node, Map.of());
        boolean another = before.entrySet().stream().anyMatch(it -> now.getOrDefault(it.getKey(), 0L) < it.getValue());
        now.forEach((decision, count) ->
                totals.merge(decision, count - (another ? 0 : before.getOrDefault(decision, 0L)), Long::sum));
        last.put(node, now);
    }

    /** Counts from now on only. */
    public synchronized void begin() {
        totals.clear();
    }

    /** Forgets what a process had counted that is killed now. */
    public synchronized void killed(String node) {
        last.remove(node);
    }

    /** Returns how many devices each decision was about. */
    public synchronized SortedMap<String, Long> totals() {
        return new TreeMap<>(totals);
    }
}
