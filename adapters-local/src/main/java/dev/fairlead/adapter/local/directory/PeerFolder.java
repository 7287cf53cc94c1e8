package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.base.FolderSync;
import dev.fairlead.adapter.local.directory.folder.RootAttributes;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.NativeId;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Finishes an empty volume that democratic-csi began: it makes the folder before it gives it its owner and mode, and
 * may have been ended in between.
 */
record PeerFolder(BaseFolderContext context, RootAttributes attributes) {
    /**
     * Gives the folder what it lacks, as democratic-csi does at each call. One with content is left as it is, since its
     * pods may have chosen other attributes.
     *
     * @param ours the result of {@link BaseFolderContext#visit}
     */
    void finish(NativeId id, boolean ours, Work work) throws IOException {
        Path folder = context.layout().volumes().place(id.value());
        if (attributes.missing(folder).isEmpty() || !isEmpty(folder)) {
            return;
        }
        context.prepare(ours, work);
        attributes.apply(folder, work);
        FolderSync.sync(work, folder);
        String missing = attributes.missing(folder);
        if (!missing.isEmpty()) {
            throw context.failures().unavailable(folder + " was given " + missing + ", and reads back differently");
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            return !entries.iterator().hasNext();
        }
    }
}
