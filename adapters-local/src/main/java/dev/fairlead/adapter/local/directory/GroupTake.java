package dev.fairlead.adapter.local.directory;

import dev.fairlead.domain.snapshot.GroupShape;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Map;

/**
 * Describes a group that is wanted.
 *
 * @param sources as the base knows its volumes, in the order of their ids
 * @param shape as the caller knows them
 * @param maxIdBytes longest id of a snapshot
 */
public record GroupTake(
        NativeId id,
        CsiName name,
        List<NativeId> sources,
        GroupShape shape,
        Map<String, String> parameters,
        int maxIdBytes) {
    public GroupTake {
        sources = List.copyOf(sources);
        parameters = Map.copyOf(parameters);
    }
}
