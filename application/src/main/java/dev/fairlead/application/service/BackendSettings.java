package dev.fairlead.application.service;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.IdPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the application itself needs to know of a connection, whatever its store and exporter.
 *
 * @param retainOnDelete whether DeleteVolume leaves the volume where it is
 * @param placement from where its volumes are reachable
 * @param labels by which a class's {@code connectionSelector} finds it
 * @param concurrency at most so many calls are at work on the storage at once
 * @param patience how long a call waits for an answer, or for its turn, before it says UNAVAILABLE
 * @param closed whether volumes are born closed to all but the nodes that they are published to, where the exporter can
 * @param nodeExpands whether a volume is grown by the node that has it, since another one's controller cannot reach it
 * @param parameterKeys the StorageClass and VolumeSnapshotClass keys that the connection understands
 */
public record BackendSettings(
        Optional<String> instanceId,
        IdPolicy idPolicy,
        boolean retainOnDelete,
        CapabilityRules capabilities,
        Placement placement,
        Map<String, String> labels,
        VolumeStore.OnDependents onDependents,
        int concurrency,
        Duration patience,
        boolean closed,
        boolean nodeExpands,
        Set<String> parameterKeys) {
    public BackendSettings {
        labels = Map.copyOf(labels);
        parameterKeys = Set.copyOf(parameterKeys);
        if (concurrency < 1) {
            throw new IllegalArgumentException("concurrency: " + concurrency + " (expected: 1 or more)");
        }
        if (!patience.isPositive()) {
            throw new IllegalArgumentException("patience: " + patience + " (expected: more than zero)");
        }
    }

    /** Of a connection whose volumes are grown where the controller is. */
    public BackendSettings(
            Optional<String> instanceId,
            IdPolicy idPolicy,
            boolean retainOnDelete,
            CapabilityRules capabilities,
            Placement placement,
            Map<String, String> labels,
            VolumeStore.OnDependents onDependents,
            int concurrency,
            Duration patience,
            boolean closed,
            Set<String> parameterKeys) {
        this(
                instanceId,
                idPolicy,
                retainOnDelete,
                capabilities,
                placement,
                labels,
                onDependents,
                concurrency,
                patience,
                closed,
                false,
                parameterKeys);
    }

    /** Of a connection whose volumes are open. */
    public BackendSettings(
            Optional<String> instanceId,
            IdPolicy idPolicy,
            boolean retainOnDelete,
            CapabilityRules capabilities,
            Placement placement,
            Map<String, String> labels,
            VolumeStore.OnDependents onDependents,
            int concurrency,
            Duration patience,
            Set<String> parameterKeys) {
        this(
                instanceId,
                idPolicy,
                retainOnDelete,
                capabilities,
                placement,
                labels,
                onDependents,
                concurrency,
                patience,
                false,
                parameterKeys);
    }
}
