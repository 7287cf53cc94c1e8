package dev.fairlead.adapter.local.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The device that a folder is on.
 *
 * @param mountPoint whether the folder above is on another one. A bind mount within one file system is not told by
 *     this.
 */
record FolderDevice(long device, boolean mountPoint) {
    /** The folder may be a symbolic link; empty where it cannot be looked at. */
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

    /** Whether this was a plain folder, and something that is mounted now hides it. */
    boolean isHiddenBy(FolderDevice now) {
        return !mountPoint && now.mountPoint && device != now.device;
    }
}
