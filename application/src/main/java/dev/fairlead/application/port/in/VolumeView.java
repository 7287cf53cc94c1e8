package dev.fairlead.application.port.in;

import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A volume as callers see it.
 *
 * @param capacity zero where the backend keeps no size
 * @param context the same in create, get and list for the volume's life
 * @param accessibleFrom empty: from everywhere
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

    /** What a node would miss in the context to reach the volume; empty where it has all. */
    public Optional<String> lack() {
        return AttachmentCodec.lack(context);
    }
}
