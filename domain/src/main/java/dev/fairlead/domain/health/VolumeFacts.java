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
 * @param troubles what is wrong with it though it answers; none if it was not asked
 * @param trouble why some of this could not be read
 */
public record VolumeFacts(
        String place,
        List<VolumePath> paths,
        Optional<MountFacts> mount,
        Optional<Silence> silence,
        List<MountTrouble> troubles,
        Optional<String> trouble) {
    public VolumeFacts {
        paths = List.copyOf(paths);
        troubles = List.copyOf(troubles);
    }

    /** Holds what a look has found at a volume that has no troubles if it answers. */
    public VolumeFacts(
            String place,
            List<VolumePath> paths,
            Optional<MountFacts> mount,
            Optional<Silence> silence,
            Optional<String> trouble) {
        this(place, paths, mount, silence, List.of(), trouble);
    }
}
