package dev.fairlead.bootstrap.options;

import java.util.Optional;

/**
 * What this process has to do with Kubernetes; nothing, unless it was asked to.
 *
 * @param election where the controller is to serve only while it leads
 * @param events the pod on which connections' troubles are told
 * @param sources the node on which it is asked where content is that is not there
 * @param taint what keeps pods off this node until its drivers are registered
 */
public record ClusterOptions(
        Optional<Election> election, Optional<Pod> events, Optional<String> sources, Optional<Taint> taint) {
    public static final ClusterOptions NONE =
            new ClusterOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * The Lease that replicas contend for.
     *
     * @param namespace where it is said; otherwise that of the access to Kubernetes
     * @param candidate a name for this replica that people recognise
     */
    public record Election(Optional<String> namespace, String lease, String candidate) {}

    /**
     * A taint that the node is born with.
     *
     * @param key such as {@code csi.example.org/agent-not-ready}
     */
    public record Taint(String node, String key) {}

    /** The pod in which this process runs. */
    public record Pod(String namespace, String name, String uid) {}
}
