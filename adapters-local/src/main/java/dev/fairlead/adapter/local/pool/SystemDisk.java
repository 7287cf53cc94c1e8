package dev.fairlead.adapter.local.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Tells whether a folder lies on the file system of the operating system, which a full pool would stop.
 *
 * @param places folders of the operating system, of which those count that exist
 */
record SystemDisk(List<Path> places) {
    SystemDisk {
        places = List.copyOf(places);
    }

    /** Returns the disk of this machine, also as a container sees it whose root is none of the machine's. */
    static SystemDisk ofThisMachine() {
        return new SystemDisk(List.of(Path.of("/"), Path.of("/var/lib/kubelet"), Path.of("/csi")));
    }

    /** Returns whether a folder shares it; false if the folder is not there. */
    boolean holds(Path folder) {
        Optional<Object> device = device(folder);
        return device.isPresent() && places.stream().map(SystemDisk::device).anyMatch(device::equals);
    }

    private static Optional<Object> device(Path folder) {
        try {
            return Optional.of(Objects.requireNonNull(Files.getAttribute(folder, "unix:dev")));
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
