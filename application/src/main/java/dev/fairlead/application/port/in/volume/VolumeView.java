package dev.fairlead.application.port.in.volume;

import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Describes a volume as callers see it.
 *
 * @param capacity zero if the backend keeps no size
 * @param context the same in create, get and list for the volume's life
 * @param accessibleFrom empty: from everywhere; in a list also if its storage does not say now from where
 */
public record VolumeView(
        String handle,
        Capacity capacity,
        Map<String, String> context,
        Source source,
        List<TopologySegment> accessibleFrom) {
    public VolumeView {
        context = Map.copyOf(context);
        accessibleFrom = List.copyOf(accessibleFrom);
    }

    /** Returns what the context lacks for a node to reach the volume; empty if it lacks nothing. */
    public Optional<String> lack() {
        return AttachmentCodec.lack(context);
    }
}
