package dev.fairlead.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** A test's own namespace in the cluster, and what is read in it. */
record Namespace(KubeCluster cluster, String name) {
    private static final Duration LONG = Duration.ofMinutes(4);

    void make() throws IOException {
        cluster.apply(LONG, """
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s"}}""".formatted(name));
    }

    /** Pods first, then claims, so that the volumes are gone before the next test counts them; then test classes. */
    void remove() throws IOException {
        kubectl(LONG, "delete", "statefulsets,pods", "--all", "--grace-period=0", "--timeout=120s");
        removeClaims();
        cluster.kubectl(LONG, "delete", "storageclass", "-l", "fairlead-test=yes");
    }

    void removeClaims() throws IOException {
        kubectl(LONG, "delete", "pods", "--all", "--grace-period=0", "--timeout=120s");
        kubectl(LONG, "delete", "pvc", "--all", "--timeout=120s");
    }

    void apply(String manifest) throws IOException {
        cluster.apply(LONG, manifest.replaceFirst("(?m)^metadata: \\{", "metadata: {namespace: " + name + ", "));
    }

    String kubectl(Duration limit, String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of("-n", name));
        all.addAll(List.of(words));
        return cluster.kubectl(limit, all.toArray(String[]::new));
    }

    void ready(String pod) throws IOException {
        kubectl(LONG, "wait", "--for=condition=Ready", "pod/" + pod, "--timeout=120s");
    }

    /** What a path shows of each object of a kind, by the object's name. */
    Map<String, String> names(String kind, String path) throws IOException {
        Map<String, String> found = new TreeMap<>();
        String format = "jsonpath={range .items[*]}{.metadata.name}={.x}{'\\n'}{end}".replace("{.x}", path);
        kubectl(LONG, "get", kind, "-o", format)
                .lines()
                .filter(line -> line.contains("="))
                .forEach(line -> found.put(line.replaceFirst("=.*", ""), line.replaceFirst("[^=]*=", "")));
        return found;
    }

    /** The messages of the events about an object. */
    String events(String object) throws IOException {
        return kubectl(
                LONG,
                "get",
                "events",
                "--field-selector",
                "involvedObject.name=" + object,
                "-o",
                "jsonpath={range .items[*]}{.message}{'\\n'}{end}");
    }

    /** Until what is said holds, or the limit is over. */
    void eventually(Duration limit, Claim claim) throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            try {
                claim.holds();
                return;
            } catch (AssertionError e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                LockSupport.parkNanos(500_000_000);
            }
        }
    }

    /** Something that may become true. */
    interface Claim {
        /** Throws an {@link AssertionError} where it does not hold. */
        void holds() throws IOException;
    }
}
