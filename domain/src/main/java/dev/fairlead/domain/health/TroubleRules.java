package dev.fairlead.domain.health;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Decides what the troubles of a mounted volume mean. */
final class TroubleRules {
    private TroubleRules() {}

    /** Returns what is wrong, each reason once. */
    static List<HealthCondition> of(VolumeFacts facts) {
        List<HealthCondition> found = new ArrayList<>();
        for (HealthReason reason : HealthReason.values()) {
            List<MountTrouble> its = facts.troubles().stream()
                    .filter(it -> reason(it.kind()) == reason && isTold(it, facts))
                    .toList();
            if (!its.isEmpty()) {
                String details = its.stream().map(MountTrouble::detail).collect(joining("; "));
                String text = text(its.getFirst().kind(), facts.place(), details);
                found.add(
                        reason == HealthReason.LOOK_FAILED
                                ? new HealthCondition(reason, text, untold(its))
                                : new HealthCondition(reason, text));
            }
        }
        return found;
    }

    private static Set<HealthReason> untold(List<MountTrouble> troubles) {
        return troubles.stream()
                .flatMap(it -> it.untold().stream())
                .map(TroubleRules::reason)
                .collect(toSet());
    }

    /** Returns whether it is a trouble: to what is mounted for reading nothing is written. */
    private static boolean isTold(MountTrouble trouble, VolumeFacts facts) {
        boolean ofWriting =
                trouble.kind() == MountTrouble.Kind.FULL || trouble.kind() == MountTrouble.Kind.WITHOUT_INODES;
        return !ofWriting || facts.mount().filter(MountFacts::isForReading).isEmpty();
    }

    private static HealthReason reason(MountTrouble.Kind kind) {
        return switch (kind) {
            case REMOVED -> HealthReason.CONTENT_REMOVED;
            case FULL -> HealthReason.VOLUME_FULL;
            case WITHOUT_INODES -> HealthReason.INODES_EXHAUSTED;
            case DEVICE_ERRORS -> HealthReason.DEVICE_ERRORS;
            case SIZE_NOT_HELD -> HealthReason.SIZE_NOT_HELD;
            case UNTOLD -> HealthReason.LOOK_FAILED;
        };
    }

    private static String text(MountTrouble.Kind kind, String place, String detail) {
        return switch (kind) {
            case REMOVED ->
                "what is mounted at " + place + " was removed: " + detail
                        + "; copy out what its pods still have open, since it is gone with the last of them";
            case FULL ->
                "the volume at " + place + " is full: " + detail
                        + "; remove files from it, or ask for more in its claim";
            case WITHOUT_INODES ->
                "no file can be made in the volume at " + place + ": " + detail
                        + "; remove files from it, or ask for more in its claim where that gives more inodes";
            case DEVICE_ERRORS ->
                "the file system at " + place + " has counted errors: " + detail
                        + ". The kernel's log has them; save what is in the volume, and look at the disk";
            case SIZE_NOT_HELD -> "the size of the volume at " + place + " does not hold: " + detail;
            case UNTOLD -> detail;
        };
    }
}
