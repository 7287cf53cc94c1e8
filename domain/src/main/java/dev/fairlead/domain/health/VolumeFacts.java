package dev.fairlead.domain.health;

import java.util.List;
import java.util.Optional;

/**
 * Holds what one look at a volume has found.
 *
 * @param place where it is mounted, or should be
 * @param paths the ways to its storage; none if its protocol tells of none
 * @param mount empty if nothing is mounted there
 * @param silence empty if what is mounted answers, or was not asked
 * @param unheld why its size does not hold, if that is a quota; empty if it holds, or if that cannot be told
 * @param trouble why some of this could not be read
 */
public record VolumeFacts(
        String place,
        List<VolumePath> paths,
        Optional<MountFacts> mount,
        Optional<Silence> silence,
        Optional<String> unheld,
        Optional<String> trouble) {
    public VolumeFacts {
        paths = List.copyOf(paths);
    }

    /** Holds what a look has found at a volume whose size is no quota. */
    public VolumeFacts(
            String place,
            List<VolumePath> paths,
            Optional<MountFacts> mount,
            Optional<Silence> silence,
            Optional<String> trouble) {
        this(place, paths, mount, silence, Optional.empty(), trouble);
    }
}
