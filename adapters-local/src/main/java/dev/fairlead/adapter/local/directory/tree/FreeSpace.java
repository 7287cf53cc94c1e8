package dev.fairlead.adapter.local.directory.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Returns how many bytes may still be written to a file system. */
public final class FreeSpace {
    private FreeSpace() {}

    public static long of(Path folder) throws IOException {
        long usable = folder.toFile().getUsableSpace();
        // zero may mean a full disk or a failed call; only the slower way tells which
        return usable > 0 ? usable : Files.getFileStore(folder).getUsableSpace();
    }
}
