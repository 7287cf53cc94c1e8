package dev.fairlead.adapter.local.directory.folder;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import java.io.IOException;
import java.nio.file.Path;

/** Joins the form of a new folder to the size that it gets. */
public record SizedForm(FolderForm form, Capacity size) {
    void complete(Path folder, Work work) throws IOException {
        form.complete(folder, size, work);
    }

    String version(Path source) throws IOException {
        return form.version(source);
    }

    void checkCopied(Path source, String version) throws IOException {
        form.checkCopied(source, version);
    }

    String missing(Path folder) throws IOException {
        return form.missing(folder, size);
    }
}
