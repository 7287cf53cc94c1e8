package dev.fairlead.adapter.local.directory.base;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Tells on which device a folder is.
 *
 * @param mountPoint whether the folder above is on another device, which does not detect a bind mount within one file
 *     system
 */
record FolderDevice(long device, boolean mountPoint) {
    /** Returns the device of a folder, which may be a symbolic link; empty if it cannot be read. */
    static Optional<FolderDevice> of(Path folder) {
        try {
            Path real = folder.toRealPath();
            Path above = real.getParent();
            long device = device(real);
            return Optional.of(new FolderDevice(device, above == null || device(above) != device));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static long device(Path folder) throws IOException {
        return ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
    }

    /** Returns whether this was a plain folder that is now hidden by something mounted there. */
    boolean isHiddenBy(FolderDevice now) {
        return !mountPoint && now.mountPoint && device != now.device;
    }
}
