package dev.fairlead.bootstrap.settings;

import dev.fairlead.adapter.node.settings.FilesystemSettings;
import dev.fairlead.application.config.ConfigNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Reads democratic-csi's options for the programs that make and check file systems on a node, for those types that a
 * node makes. An option that could destroy something is an error.
 */
final class FilesystemReader {
    private static final String OPTIONS = "customOptions";
    private static final String OF_EXT = "customFilesystemOptions";

    private final Map<String, List<String>> make = new HashMap<>();
    private final Map<String, List<String>> checks = new HashMap<>();

    /** @param file the main file */
    static FilesystemSettings read(ConfigNode file) {
        ConfigNode node = file.child("node");
        var reader = new FilesystemReader();
        List.of("ext3", "ext4", "xfs", "btrfs").forEach(type -> reader.read(node, type));
        return new FilesystemSettings(reader.make, reader.checks);
    }

    private void read(ConfigNode node, String type) {
        List<String> making = allowed(
                node.child("format").child(type), OPTIONS, words -> FilesystemSettings.allowedForMaking(type, words));
        if (!making.isEmpty()) {
            make.put(type, making);
        }
        ConfigNode check = node.child("mount").child("checkFilesystem").child(type);
        boolean enabled = check.bool("enabled", false);
        boolean ext = type.startsWith("ext");
        if (ext) {
            var _ = allowed(check, OPTIONS, FilesystemSettings::allowedForFsck);
        } else {
            check.ignore(OF_EXT); // democratic-csi reads it for ext alone
        }
        List<String> checking =
                allowed(check, ext ? OF_EXT : OPTIONS, words -> FilesystemSettings.allowedForChecking(type, words));
        if (enabled) {
            checks.put(type, checking);
        }
    }

    private static List<String> allowed(ConfigNode from, String key, UnaryOperator<List<String>> check) {
        try {
            return check.apply(from.strings(key));
        } catch (IllegalArgumentException e) {
            from.problems()
                    .error(
                            from.pathOf(key),
                            from.lineOf(key),
                            String.valueOf(e.getMessage()),
                            "take it out; docs/operate/devices.md has the options that may be given, none of which"
                                    + " forces anything or names a device");
            return List.of();
        }
    }
}
