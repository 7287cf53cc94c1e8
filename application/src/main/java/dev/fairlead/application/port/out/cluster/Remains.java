package dev.fairlead.application.port.out.cluster;

import java.util.List;
import java.util.Optional;

/**
 * What the orchestrator still keeps of a driver: nobody could mount or delete it without that driver.
 *
 * @param volumes in the orchestrator's order
 * @param snapshots likewise; none where the orchestrator knows no snapshots
 */
public record Remains(List<Volume> volumes, List<Snapshot> snapshots) {
    public Remains {
        volumes = List.copyOf(volumes);
        snapshots = List.copyOf(snapshots);
    }

    public boolean isEmpty() {
        return volumes.isEmpty() && snapshots.isEmpty();
    }

    /** Whether all of it is being deleted by its driver, and so will be gone soon. */
    public boolean isGoing() {
        return volumes.stream().allMatch(Volume::going) && snapshots.stream().allMatch(Snapshot::going);
    }

    /**
     * A volume, in whatever state.
     *
     * @param claim who has it or had it last, as {@code namespace/name}
     * @param phase the orchestrator's word, such as {@code Bound} or {@code Released}
     * @param going whether it is being deleted
     */
    public record Volume(String name, Optional<String> claim, String phase, boolean going) {}

    /**
     * A snapshot.
     *
     * @param of who asked for it, as {@code namespace/name}
     * @param going whether it is being deleted
     */
    public record Snapshot(String name, Optional<String> of, boolean going) {}
}
