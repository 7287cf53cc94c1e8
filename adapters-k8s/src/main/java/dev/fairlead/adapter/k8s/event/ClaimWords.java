package dev.fairlead.adapter.k8s.event;

import dev.fairlead.domain.health.HealthReason;

/**
 * Says what is wrong with a volume in words for whoever uses it, who may be a stranger to whoever runs the storage.
 *
 * <p>They are the same for each volume: addresses, paths and errors, which tell how the storage is built, stand in the
 * node's log and at its pod.
 */
final class ClaimWords {
    static final String OVER = "is over";

    private static final String ANEW = "delete the pods that use the volume on this node, so that it is mounted anew";

    private ClaimWords() {}

    /** Returns what is wrong, and what to do next. */
    static String of(HealthReason reason) {
        return switch (reason) {
            case PATHS_LOST -> "some of the ways to its storage are lost, and it goes on by the others";
            case TRANSPORT_DEAD -> "no way to its storage works; reads and writes wait or fail until one does";
            case SERVER_SILENT -> "its server does not answer; it goes on by itself once the server does";
            case MOUNT_LOST -> "its server does not know the mount any more; " + ANEW;
            case NOT_MOUNTED -> "it is not mounted where it should be; " + ANEW;
            case READ_ONLY_REMOUNT ->
                "the kernel made its file system read-only after an error; once the storage is well, " + ANEW;
            case FILESYSTEM_SHUT_DOWN ->
                "the kernel shut its file system down after an error; once the storage is well, " + ANEW;
            case CONTENT_REMOVED ->
                "what is mounted was removed from the storage; copy out what its pods still have open";
            case VOLUME_FULL ->
                "next to nothing can be written to it any more; remove files, or ask for more in the claim";
            case INODES_EXHAUSTED -> "no file can be made in it any more; remove files";
            case DEVICE_ERRORS -> "its file system has counted errors; save the data";
            case SIZE_NOT_HELD -> "nothing holds it to its size now, so others can take its space";
            case USAGE_OUTDATED -> "its usage cannot be read now; what is told of it was read before";
            case LOOK_FAILED -> "it could not be looked at; the node's log says why";
        };
    }
}
