package dev.fairlead.bootstrap.options;

import java.util.Optional;

/**
 * Holds what this process was asked to do with Kubernetes; nothing by default.
 *
 * @param election present if the controller is to serve only while it leads
 * @param events the pod for the events about connections
 * @param claims the name of this node, if events on claims are to tell what is wrong with its volumes
 * @param sources the name of this node, if Kubernetes is to be asked where content is that is not on this node
 * @param taint the taint that keeps pods off this node until its drivers are registered
 */
public record ClusterOptions(
        Optional<Election> election,
        Optional<Pod> events,
        Optional<String> claims,
        Optional<String> sources,
        Optional<Taint> taint) {
    public static final ClusterOptions NONE = new ClusterOptions(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * Describes the Lease that replicas contend for.
     *
     * @param namespace empty: the namespace of the access to Kubernetes
     * @param candidate a name for this replica that people recognise
     */
    public record Election(Optional<String> namespace, String lease, String candidate) {}

    /**
     * Describes a taint that the node has from its start.
     *
     * @param key such as {@code csi.example.org/agent-not-ready}
     */
    public record Taint(String node, String key) {}

    /** Names the pod in which this process runs. */
    public record Pod(String namespace, String name, String uid) {}
}
