package dev.fairlead.zfs.settings;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetName;

/** Tells where the host has the devices of block volumes, and which names of datasets can be found there. */
public final class DevicePaths {
    private DevicePaths() {}

    /**
     * Returns the device path of a block volume, as udev makes it from the dataset's name, whether there is one or not.
     */
    public static VolumeMedium.BlockDevice of(DatasetName volume) {
        return new VolumeMedium.BlockDevice("/dev/zvol/" + volume);
    }

    /**
     * Reports every parent of volumes that has a blank. ZFS accepts a blank, but the path of the device has another
     * character in its place, and programs that are given a path accept neither.
     *
     * @param file the file of a connection whose volumes are block devices
     */
    public static void check(ConfigNode file) {
        check(file.child("zfs"), ZfsSettings.PARENT);
        ConfigNode parents = file.strictChild(ParentSettings.OWN).child(ParentSettings.BLOCK);
        parents.keys().forEach(label -> check(parents, label));
    }

    private static void check(ConfigNode block, String key) {
        if (block.scalar(key).filter(name -> name.text().contains(" ")).isPresent()) {
            block.problems()
                    .error(
                            block.pathOf(key),
                            block.lineOf(key),
                            "has a blank",
                            "name a dataset without one for volumes that are devices");
        }
    }
}
