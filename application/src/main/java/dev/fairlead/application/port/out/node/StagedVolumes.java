package dev.fairlead.application.port.out.node;

import java.util.List;
import java.util.Set;

/** Lists the volumes of drivers that are still staged on this node, and so perhaps published to pods. */
@FunctionalInterface
public interface StagedVolumes {
    /**
     * Returns a text for people for each such volume.
     *
     * @throws dev.fairlead.domain.failure.StorageException if the node cannot tell
     */
    List<String> of(Set<String> drivers);
}
