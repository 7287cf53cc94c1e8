package dev.fairlead.application.port.out.node;

/** Tells whether what this process mounts for pods appears on the node. */
@FunctionalInterface
public interface MountPropagation {
    /**
     * Looks at the mounts of this process; does nothing if they are the node's own.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code NotPropagated} if a mount below kubelet's folder
     *     would stay in this process
     */
    void check();
}
