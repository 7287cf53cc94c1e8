package dev.fairlead.application.service.connection;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.IdPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Holds the settings of a connection that the application itself needs, whatever its store and exporter are.
 *
 * @param retainOnDelete whether DeleteVolume leaves the volume where it is
 * @param placement the topology from which its volumes are reachable
 * @param labels by which a class's {@code connectionSelector} finds it
 * @param concurrency how many calls at most are at work on the storage at once
 * @param patience how long a call waits for an answer, or for its turn, before it says UNAVAILABLE
 * @param closed whether new volumes are closed to all nodes but those that they are published to, if the exporter can
 *     do that
 * @param nodeExpands whether a volume is expanded by the node that has it, since the controller on another node cannot
 *     reach it
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
}
