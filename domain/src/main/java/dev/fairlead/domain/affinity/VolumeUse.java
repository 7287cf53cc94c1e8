package dev.fairlead.domain.affinity;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Says what is going on with a PersistentVolume now, as far as it bears on a change of its affinity.
 *
 * @param deletionBegun whether somebody has begun to delete it
 * @param paused why it is not to be touched, such as an annotation; empty if it may be
 * @param phase its phase, such as {@code Bound}
 */
public record VolumeUse(boolean deletionBegun, Optional<String> paused, String phase, List<Attached> attachments) {
    public VolumeUse {
        attachments = List.copyOf(attachments);
    }

    /**
     * Describes one VolumeAttachment of it.
     *
     * @param inMotion whether it is being attached or detached
     * @param known looks the labels of the node up; a cluster has thousands of nodes, and few of them matter
     */
    public record Attached(String node, boolean inMotion, Supplier<Optional<Map<String, String>>> known) {
        /** Returns the labels of the node; empty if the node is not known. */
        public Optional<Map<String, String>> labels() {
            return known.get();
        }
    }
}
