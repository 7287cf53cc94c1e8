package dev.fairlead.application.port.out.cluster;

import java.util.List;
import java.util.Optional;

/**
 * Lists the volumes and snapshots of a driver that the orchestrator still keeps; nobody could mount or delete them
 * without that driver.
 *
 * @param volumes in the orchestrator's order
 * @param snapshots likewise; empty if the orchestrator knows no snapshots
 */
public record Remains(List<Volume> volumes, List<Snapshot> snapshots) {
    public Remains {
        volumes = List.copyOf(volumes);
        snapshots = List.copyOf(snapshots);
    }

    public boolean isEmpty() {
        return volumes.isEmpty() && snapshots.isEmpty();
    }

    /** Returns whether every volume and snapshot is being deleted by its driver, and so will be gone soon. */
    public boolean isGoing() {
        return volumes.stream().allMatch(Volume::going) && snapshots.stream().allMatch(Snapshot::going);
    }

    /**
     * Describes a volume that the orchestrator keeps, in any state.
     *
     * @param claim the claim that has it or had it last, as {@code namespace/name}
     * @param phase the orchestrator's word, such as {@code Bound} or {@code Released}
     * @param going whether it is being deleted
     */
    public record Volume(String name, Optional<String> claim, String phase, boolean going) {}

    /**
     * Describes a snapshot that the orchestrator keeps.
     *
     * @param of the object that asked for it, as {@code namespace/name}
     * @param going whether it is being deleted
     */
    public record Snapshot(String name, Optional<String> of, boolean going) {}
}
