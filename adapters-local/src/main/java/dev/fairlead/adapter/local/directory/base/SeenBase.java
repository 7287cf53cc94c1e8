package dev.fairlead.adapter.local.directory.base;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holds what was seen of a base folder that was used.
 *
 * @param wasEmpty whether this process laid out an empty folder
 * @param device the folder's device when a process first saw signs of this base
 */
record SeenBase(BaseFolderSigns signs, boolean wasEmpty, Optional<FolderDevice> device) {
    private static final String SHELVES = "shelves";
    private static final String OWNER = "owner";
    private static final String MADE = "made";
    private static final String OTHERS = "others";
    private static final String DEVICE = "device";
    private static final String MOUNT_POINT = "mountPoint";

    /** Stands for a base of which nothing is known but that it was used. */
    static final SeenBase UNKNOWN =
            new SeenBase(new BaseFolderSigns(Set.of("v"), List.of(), Optional.empty(), false), false, Optional.empty());

    SeenBase with(BaseFolderSigns now) {
        return new SeenBase(now, wasEmpty, device);
    }

    /**
     * Returns whether the folder that was laid out may have been an unmounted mount point, whichever process laid it
     * out: it was empty, and is now hidden by a mount, so another base may be mounted there.
     */
    boolean mayBeMountPointOf(Optional<FolderDevice> now) {
        boolean wasFoundEmpty = signs.mark().filter(OwnerRecord::wasFoundEmpty).isPresent();
        return wasEmpty || (wasFoundEmpty && isHiddenBy(now));
    }

    private boolean isHiddenBy(Optional<FolderDevice> now) {
        return device.flatMap(was -> now.filter(was::isHiddenBy)).isPresent();
    }

    /** Returns what a later process has to know of the base. */
    SortedMap<String, String> fields() {
        SortedMap<String, String> all = new TreeMap<>();
        all.put(SHELVES, String.join(",", new TreeSet<>(signs.folders())));
        if (signs.others()) {
            all.put(OTHERS, MADE);
        }
        signs.mark().ifPresent(mark -> {
            all.put(OWNER, MADE);
            all.putAll(mark.identity());
        });
        device.ifPresent(it -> {
            all.put(DEVICE, Long.toString(it.device()));
            all.put(MOUNT_POINT, Boolean.toString(it.mountPoint()));
        });
        return all;
    }

    /** Reads the fields that an earlier process wrote; those that tell nothing give {@link #UNKNOWN}. */
    static SeenBase of(Map<String, String> fields) {
        Set<String> folders =
                new TreeSet<>(List.of(fields.getOrDefault(SHELVES, "").split(",", -1)));
        folders.remove("");
        Optional<OwnerRecord> mark = MADE.equals(fields.get(OWNER))
                ? Optional.of(new OwnerRecord(new OwnerRecord(new TreeMap<>(fields)).identity()))
                : Optional.empty();
        BaseFolderSigns signs = new BaseFolderSigns(folders, List.of(), mark, MADE.equals(fields.get(OTHERS)));
        return signs.areNone() ? UNKNOWN : new SeenBase(signs, false, device(fields));
    }

    private static Optional<FolderDevice> device(Map<String, String> fields) {
        try {
            long device = Long.parseLong(fields.getOrDefault(DEVICE, ""));
            return Optional.of(new FolderDevice(device, Boolean.parseBoolean(fields.getOrDefault(MOUNT_POINT, ""))));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
