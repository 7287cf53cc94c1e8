package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileContent;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Syncs folders and file systems, so that names and content survive a power loss. */
public final class FolderSync {
    private FolderSync() {}

    /** Syncs the folders in this order. */
    public static void sync(Work work, Path... folders) throws IOException {
        for (Path folder : folders) {
            work.effect(new Effect("sync", folder.toString()), () -> force(folder));
        }
    }

    /**
     * Syncs everything that was written below a folder, by syncing its file system. It does not begin while this
     * process ends: it takes as long as everything that others wrote there does, and nothing can interrupt it.
     */
    public static void syncAll(Work work, Path folder) throws IOException {
        work.effect(new Effect("syncfs", folder.toString()), () -> {
            work.checkEnding();
            try (FileCalls calls = new FileCalls();
                    FileContent content = new FileContent()) {
                int opened = calls.openFolder(folder);
                try {
                    content.syncAll(opened);
                } finally {
                    calls.closeFile(opened);
                }
            }
        });
    }

    static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
