package dev.fairlead.domain.snapshot;

import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Map;

/**
 * Asks for snapshots of several volumes of one connection, all of the same instant.
 *
 * @param sources in the order of their ids: a group is a set
 */
public record GroupRequest(CsiName name, List<NativeId> sources, Map<String, String> parameters) {
    private static final String FIELD = "source_volume_ids";

    public GroupRequest {
        parameters = Map.copyOf(parameters);
        sources = sources.stream().sorted().toList();
        if (sources.isEmpty()) {
            throw refused("are missing (expected: at least one volume)");
        }
        for (int i = 1; i < sources.size(); i++) {
            if (sources.get(i).equals(sources.get(i - 1))) {
                throw refused("name the volume " + Excerpt.of(sources.get(i).value()) + " twice (expected: each once)");
            }
        }
    }

    private static StorageException refused(String why) {
        return new StorageException(new Failure.InvalidRequest(FIELD, why));
    }
}
