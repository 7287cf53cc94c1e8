package dev.fairlead.adapter.local.host;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Says where the programs that a node runs are taken from.
 *
 * @param sources by the name of a program, or {@link #OTHERS} for those that are usually the container's
 */
public record ToolSettings(Map<String, ToolSource> sources) {
    /** The settings if nothing is said. */
    public static final ToolSettings USUAL = new ToolSettings(Map.of());

    /** The word for all programs that are not named. */
    public static final String OTHERS = "others";

    private static final String ISCSIADM = "iscsiadm";

    /** The programs that load or speak with kernel modules and daemons of the host, whose version they have to have. */
    private static final Set<String> OF_HOST =
            Set.of(ISCSIADM, "modprobe", "mount.lustre", "multipath", "multipathd", "zfs", "zpool");

    private static final Set<String> OF_CONTAINER = Set.of(
            "blkid",
            "blockdev",
            "btrfs",
            "btrfstune",
            "e2fsck",
            "fsck",
            "lsblk",
            "mkfs.btrfs",
            "mkfs.ext3",
            "mkfs.ext4",
            "mkfs.xfs",
            "mount",
            "resize2fs",
            "tune2fs",
            "wipefs",
            "xfs_growfs",
            "xfs_repair");

    /** Lists where a program can be taken from. */
    public enum ToolSource {
        /** The program of this process's own file system. */
        CONTAINER,
        /** The program of the host, run among the host's mounts and in its network. */
        HOST,
        /** The program that lies beside the running {@code iscsid}, wherever that runs. */
        ISCSID;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public ToolSettings {
        sources = Map.copyOf(sources);
        sources.forEach(ToolSettings::check);
    }

    private static void check(String tool, ToolSource source) {
        if (!tool.equals(OTHERS) && !isKnown(tool)) {
            throw new IllegalArgumentException(
                    "is no program of a node (expected: " + OTHERS + ", or one of " + String.join(", ", known()) + ")");
        }
        if (source == ToolSource.ISCSID && !tool.equals(ISCSIADM)) {
            throw new IllegalArgumentException("iscsid is a source of " + ISCSIADM + " alone");
        }
    }

    /**
     * Reads the source of a program.
     *
     * @throws IllegalArgumentException if there is no such program or source
     */
    public static ToolSource source(String tool, String text) {
        ToolSource source = Arrays.stream(ToolSource.values())
                .filter(it -> it.word().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not known (expected: one of "
                        + Arrays.stream(ToolSource.values())
                                .map(ToolSource::word)
                                .toList() + ")"));
        check(tool, source);
        return source;
    }

    /**
     * Returns what democratic-csi's variables of the environment ask for: {@code ISCSIADM_HOST_STRATEGY} and
     * {@code USE_HOST_MOUNT_TOOLS}.
     */
    public static ToolSettings of(Map<String, String> environment) {
        Map<String, ToolSource> sources = new TreeMap<>();
        switch (environment.getOrDefault("ISCSIADM_HOST_STRATEGY", "")) {
            case "nsenter" -> sources.put(ISCSIADM, ToolSource.ISCSID);
            case "chroot" -> sources.put(ISCSIADM, ToolSource.HOST);
            default -> {}
        }
        if (environment.getOrDefault("USE_HOST_MOUNT_TOOLS", "").equals("1")) {
            sources.put("mount", ToolSource.HOST);
        }
        return new ToolSettings(sources);
    }

    /** Returns these settings, with others in the place of those that both name. */
    public ToolSettings with(Map<String, ToolSource> others) {
        Map<String, ToolSource> all = new TreeMap<>(sources);
        all.putAll(others);
        return new ToolSettings(all);
    }

    /** Returns settings by which all that is run, scripts too, is run where one program is. */
    ToolSettings allWhereIs(String tool) {
        return new ToolSettings(Map.of(OTHERS, sourceOf(tool)));
    }

    ToolSource sourceOf(String tool) {
        return Optional.ofNullable(sources.get(tool))
                .orElse(OF_HOST.contains(tool) ? ToolSource.HOST : sources.getOrDefault(OTHERS, ToolSource.CONTAINER));
    }

    static boolean isKnown(String tool) {
        return OF_HOST.contains(tool) || OF_CONTAINER.contains(tool);
    }

    /** Returns the programs that this version knows, in order. */
    static List<String> known() {
        Set<String> all = new TreeSet<>(OF_CONTAINER);
        all.addAll(OF_HOST);
        return List.copyOf(all);
    }
}
