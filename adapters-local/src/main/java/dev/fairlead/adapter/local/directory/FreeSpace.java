package dev.fairlead.adapter.local.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Asks how much may still be written. */
final class FreeSpace {
    private FreeSpace() {}

    static long of(Path folder) throws IOException {
        long usable = folder.toFile().getUsableSpace();
        // zero is the answer of a full disk and of a failed call; only the slower way says which
        return usable > 0 ? usable : Files.getFileStore(folder).getUsableSpace();
    }
}
