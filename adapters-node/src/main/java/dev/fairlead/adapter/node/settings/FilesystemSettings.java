package dev.fairlead.adapter.node.settings;

import java.util.List;
import java.util.Map;

/**
 * Holds what the operator adds to the programs that make and check file systems, by the type of the file system.
 *
 * @param make further arguments for the program that makes it
 * @param checks further arguments for the program that checks it; types whose check is not wanted are not among them
 */
public record FilesystemSettings(Map<String, List<String>> make, Map<String, List<String>> checks) {
    public static final FilesystemSettings NONE = new FilesystemSettings(Map.of(), Map.of());

    public FilesystemSettings {
        make = Map.copyOf(make);
        checks = Map.copyOf(checks);
    }

    /** Returns the further arguments for making a file system of this type. */
    public List<String> making(String type) {
        return make.getOrDefault(type, List.of());
    }

    /**
     * Returns the arguments for the program that makes a file system, if each of them is allowed.
     *
     * @throws IllegalArgumentException if one of them is not
     */
    public static List<String> allowedForMaking(String type, List<String> words) {
        return switch (type) {
            case "xfs" -> ProgramOptions.MAKE_XFS.checked(words);
            case "btrfs" -> ProgramOptions.MAKE_BTRFS.checked(words);
            default -> ProgramOptions.MAKE_EXT.checked(words);
        };
    }

    /**
     * Returns the arguments for the program that checks a file system, if each of them is allowed.
     *
     * @throws IllegalArgumentException if one of them is not
     */
    public static List<String> allowedForChecking(String type, List<String> words) {
        return switch (type) {
            case "xfs" -> ProgramOptions.CHECK_XFS.checked(words);
            case "btrfs" -> ProgramOptions.CHECK_BTRFS.checked(words);
            default -> ProgramOptions.CHECK_EXT.checked(words);
        };
    }

    /**
     * Returns the arguments for the program {@code fsck}, which calls that of a file system, if each of them is
     * allowed.
     *
     * @throws IllegalArgumentException if one of them is not
     */
    public static List<String> allowedForFsck(List<String> words) {
        return ProgramOptions.CHECK_ANY.checked(words);
    }
}
