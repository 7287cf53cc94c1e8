package dev.fairlead.application.port.in;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.List;
import java.util.Map;

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
}
