package dev.fairlead.application.port.out.node;

import java.util.List;
import java.util.Set;

/** The volumes of drivers that this node still holds: staged, and so perhaps published to pods. */
@FunctionalInterface
public interface StagedVolumes {
    /**
     * What each of them shows, a text for people.
     *
     * @throws dev.fairlead.domain.failure.StorageException where the node cannot tell
     */
    List<String> of(Set<String> drivers);
}
