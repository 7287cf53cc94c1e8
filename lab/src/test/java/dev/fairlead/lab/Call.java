package dev.fairlead.lab;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One system call as strace saw it; {@code arguments} show descriptors with their paths. */
record Call(int thread, String name, String arguments, String result) {
    /** What a request to a file system is called that changes it. */
    private static final Pattern CHANGE =
            Pattern.compile("\\b(FICLONE\\w*|FS_IOC_FSSETXATTR|FS_IOC_SETFLAGS|BTRFS_IOC_(SUBVOL_CREATE|SNAP_CREATE|"
                    + "SUBVOL_SETFLAGS|SYNC|START_SYNC|QUOTA_CTL|QUOTA_RESCAN|QGROUP_LIMIT)\\w*)\\b");

    /** What a request to a loop device is called that changes it; its files are below no folder. */
    private static final Pattern DEVICE =
            Pattern.compile("\\bLOOP_(CONFIGURE|SET_\\w+|CLR_FD|CTL_GET_FREE|CTL_ADD|CTL_REMOVE)\\b");

    private static final String TRASH = "/.fairlead/trash";

    /** What differs between two runs that do the same. */
    private static final Pattern TIME = Pattern.compile("\\{tv_sec=\\d+, tv_nsec=\\d+}(?: /\\*.*?\\*/)?");

    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern WORD_OF_A_PROCESS = Pattern.compile("(/partial/|name=\")[0-9a-f]{8}\\.");
    private static final Pattern LOOP = Pattern.compile("/dev/loop(\\d+|-control)\\b");
    private static final Pattern PIPE = Pattern.compile("pipe:\\[\\d+]");
    private static final Pattern NUMBER =
            Pattern.compile("\\b(qgroupid|lo_number|lo_device|lo_inode|lo_rdevice|fsx_projid)=[^,}]+");
    private static final Pattern PROJECT_OR_SOURCE = Pattern.compile("((?<=PRJQUOTA\\), )|(?<=\\bFICLONE, ))\\d+");
    /** What the kernel wrote into a request, or strace shows after it alone: not where the process ended in it. */
    private static final Pattern ANSWER = Pattern.compile("( => .*|(?<=_LIMIT), \\{.*| <unfinished \\.\\.\\.>)$");

    private static final Pattern DESCRIPTOR = Pattern.compile("\\b\\d+<");

    /** Whether the process died in it. A call that its own SIGKILL meets at its entry is not executed any more. */
    boolean diedIn() {
        return result.startsWith("?");
    }

    /** Whether it changed anything on disk below this folder, or in the mount table. */
    boolean changes(Path folder) {
        if (diedIn() || result.startsWith("-")) {
            return false;
        }
        boolean below = where().contains(folder + "/") || where().contains(folder + "\"");
        return switch (name) {
            case "open", "openat", "openat2" -> below && arguments.matches(".*\\bO_(CREAT|TRUNC)\\b.*");
            // What is in the trash is made writable by a thread that begins with requests to look, which count as well.
            case "ioctl" ->
                DEVICE.matcher(arguments).find()
                        || (below
                                && !arguments.contains(TRASH)
                                && CHANGE.matcher(arguments).find());
            case "quotactl_fd" -> below && arguments.contains("SET");
            // A mount that is attached nowhere yet has no path of its own.
            case "mount", "umount2", "open_tree", "move_mount", "mount_setattr", "fsconfig", "fsmount" -> true;
            default -> below || where().contains(folder + ">");
        };
    }

    /** Whether it asks something of the driver's own loop device, or of the maker of all. */
    boolean isOfDevice(Path folder) {
        boolean foreign = arguments.contains("lo_file_name=") && !arguments.contains(folder + "/");
        return name.equals("ioctl") && LOOP.matcher(arguments).find() && !foreign;
    }

    /**
     * The path among the node's own files that it is about: staged and published volumes, and what is noted of them.
     */
    Optional<String> nodePath(Path folder) {
        Matcher path = Pattern.compile(
                        "[\"<](" + Pattern.quote(folder.toString()) + "/(node|csi\\.sock\\.staged)[^\">]*)")
                .matcher(where());
        return path.find() ? Optional.of(path.group(1)) : Optional.empty();
    }

    /** Whether strace shows it where this path alone is watched. */
    boolean isAt(String path) {
        return arguments.contains("<" + path + ">") || arguments.contains("\"" + path + "\"");
    }

    /** The arguments but for what is written, which may name any path and has times in it. */
    private String where() {
        return name.contains("write") ? arguments.substring(0, arguments.indexOf('>') + 1) : arguments;
    }

    /** Whether it removes what was thrown away, which is done in the background, beside and after the RPC. */
    boolean emptiesTrash() {
        return (name.startsWith("unlink") || name.equals("rmdir")) && arguments.contains(TRASH);
    }

    /** The call with its arguments, but for what no two runs share: names by chance, times, descriptors' numbers. */
    String form() {
        String shown = TIME.matcher(where()).replaceAll("TIME");
        shown = UUID.matcher(shown).replaceAll("UUID");
        shown = WORD_OF_A_PROCESS.matcher(shown).replaceAll("$1WORD.");
        shown = PIPE.matcher(shown).replaceAll("pipe");
        shown = ANSWER.matcher(shown).replaceFirst("");
        shown = NUMBER.matcher(LOOP.matcher(shown).replaceAll("/dev/loopN")).replaceAll("$1=NUMBER");
        shown = PROJECT_OR_SOURCE.matcher(shown).replaceFirst("NUMBER");
        return name + "(" + DESCRIPTOR.matcher(shown).replaceAll("FD<") + ")";
    }

    @Override
    public String toString() {
        return form() + " = " + result;
    }
}
