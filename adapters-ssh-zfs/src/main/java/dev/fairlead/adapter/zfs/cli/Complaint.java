package dev.fairlead.adapter.zfs.cli;

import java.util.regex.Pattern;

/**
 * Tells from its words what {@code zfs} or {@code zpool} complains about, since the exit code is 1 for nearly
 * everything.
 *
 * <p>The words are those of OpenZFS 0.8 to 2.3 (lib/libzfs/libzfs_util.c, cmd/zfs/zfs_main.c), which are not
 * translated. They name the object's type, so {@code volume has dependent clones} is the same as {@code filesystem has
 * dependent clones}.
 */
public enum Complaint {
    STALE_MARK("used in the initial send", "resume token is corrupt"),
    PARENT_MISSING("parent does not exist", "destination '.*' does not exist"),
    DOES_NOT_EXIST("dataset does not exist", "no such pool", "could not find any snapshots to destroy"),
    ALREADY_EXISTS("dataset already exists", "tag already exists on this dataset"),
    NO_SUCH_TAG("no such tag on this dataset"),
    DESTINATION_EXISTS("destination '.*' exists", "destination has snapshots", "destination .* has been modified"),
    DEPENDENT_CLONES("has dependent clones", "snapshot is cloned"),
    CHILDREN("has children"),
    BUSY("dataset is busy", "target is busy", "pool or dataset is busy", "unmount failed", "it's being used"),
    OUT_OF_SPACE(
            "out of space",
            "no space left",
            "quota exceeded",
            "disk quota exceeded",
            "size is greater than available space"),
    SMALLER_THAN_USED("size is less than current used or reserved space"),
    SUSPENDED("pool i/o is currently suspended", "i/o error"),
    NOT_PERMITTED(
            "permission denied",
            "operation not permitted",
            "a password is required",
            "is not in the sudoers file",
            "is not allowed to execute"),
    NO_PROGRAM("command not found", ": not found", "no such file or directory"),
    READ_ONLY("read-only file system", "pool is read-only", "dataset is read-only"),
    BAD_PROPERTY(
            "bad property",
            "invalid property",
            "must be one of",
            "is readonly",
            "must be power of 2",
            "must be a multiple of volume block size",
            "must be upgraded"),
    NAME_TOO_LONG("name is too long"),
    OTHER();

    private final Pattern words;

    Complaint(String... words) {
        this.words = Pattern.compile(words.length == 0 ? "(?!)" : String.join("|", words), Pattern.CASE_INSENSITIVE);
    }

    /** Returns the first complaint, in the order above, whose words are in the standard error of the program. */
    public static Complaint of(String errors) {
        for (Complaint complaint : values()) {
            if (complaint.words.matcher(errors).find()) {
                return complaint;
            }
        }
        return OTHER;
    }
}
