package dev.fairlead.domain.health;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Lists what can be wrong with a staged volume; a metric label, and CSI's {@code reason}. */
public enum HealthReason {
    /** Some ways to its storage do not work, and others do. */
    PATHS_LOST(HealthStatus.DEGRADED),
    /** No way to its storage works. */
    TRANSPORT_DEAD(HealthStatus.INACCESSIBLE),
    /** Its server does not answer. */
    SERVER_SILENT(HealthStatus.INACCESSIBLE),
    /** Its server answers, and does not know the mount any more. */
    MOUNT_LOST(HealthStatus.INACCESSIBLE),
    /** Nothing is mounted where it should be. */
    NOT_MOUNTED(HealthStatus.INACCESSIBLE),
    /** The kernel made its file system read-only, as it does after an error. */
    READ_ONLY_REMOUNT(HealthStatus.DEGRADED),
    /** The kernel shut its file system down after an error. */
    FILESYSTEM_SHUT_DOWN(HealthStatus.INACCESSIBLE),
    /** Its folder or image was removed while it is mounted. */
    CONTENT_REMOVED(HealthStatus.INACCESSIBLE),
    /** Next to nothing can be written to it any more. */
    VOLUME_FULL(HealthStatus.DEGRADED),
    /** No file can be made in it any more. */
    INODES_EXHAUSTED(HealthStatus.DEGRADED),
    /** Its file system has counted errors of its devices, or in itself. */
    DEVICE_ERRORS(HealthStatus.DEGRADED),
    /** Its size is a quota that is not enforced now. */
    SIZE_NOT_HELD(HealthStatus.DEGRADED),
    /** Its usage cannot be read now; what was read before is answered. */
    USAGE_OUTDATED(HealthStatus.DEGRADED),
    /** It could not be looked at. */
    LOOK_FAILED(HealthStatus.DEGRADED);

    private final HealthStatus status;

    HealthReason(HealthStatus status) {
        this.status = status;
    }

    public HealthStatus status() {
        return status;
    }

    /** Returns whether the way to the storage is at fault, and so perhaps the storage itself. */
    public boolean isOfTransport() {
        return this == PATHS_LOST || this == TRANSPORT_DEAD || this == SERVER_SILENT;
    }

    /** Returns what a look that sees this cannot tell, and so neither that it is so nor that it is over. */
    public Set<HealthReason> hides() {
        return switch (this) {
            case LOOK_FAILED ->
                EnumSet.complementOf(EnumSet.of(LOOK_FAILED, NOT_MOUNTED, READ_ONLY_REMOUNT, USAGE_OUTDATED));
            case TRANSPORT_DEAD -> asked(PATHS_LOST, SERVER_SILENT, MOUNT_LOST, FILESYSTEM_SHUT_DOWN);
            case SERVER_SILENT -> asked(MOUNT_LOST, FILESYSTEM_SHUT_DOWN);
            case MOUNT_LOST, NOT_MOUNTED -> asked();
            case FILESYSTEM_SHUT_DOWN -> asked(READ_ONLY_REMOUNT);
            case VOLUME_FULL -> EnumSet.of(INODES_EXHAUSTED);
            case PATHS_LOST,
                    READ_ONLY_REMOUNT,
                    CONTENT_REMOVED,
                    INODES_EXHAUSTED,
                    DEVICE_ERRORS,
                    SIZE_NOT_HELD,
                    USAGE_OUTDATED -> EnumSet.noneOf(HealthReason.class);
        };
    }

    /** Returns what only a mount that answers is asked for, and more. */
    private static Set<HealthReason> asked(HealthReason... more) {
        Set<HealthReason> reasons =
                EnumSet.of(VOLUME_FULL, INODES_EXHAUSTED, DEVICE_ERRORS, SIZE_NOT_HELD, LOOK_FAILED);
        reasons.addAll(List.of(more));
        return reasons;
    }

    /** Returns the name as metrics write it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the name as CSI writes it: {@code PathsLost}. */
    public String camelCase() {
        return Arrays.stream(name().split("_", -1))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }
}
