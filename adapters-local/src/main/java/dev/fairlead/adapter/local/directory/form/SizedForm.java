package dev.fairlead.adapter.local.directory.form;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Joins the form of a new folder to the size that it gets. */
public record SizedForm(FolderForm form, Capacity size) {
    /**
     * Makes the folder, with what another one holds if it is given.
     *
     * @return whether that was done at one instant; if not, the folder is empty
     */
    public boolean make(Optional<Path> source, Path folder, Work work) throws IOException {
        if (source.isPresent() && form.copy(source.get(), folder, work)) {
            return true;
        }
        form.make(folder, work);
        return false;
    }

    public void complete(Path folder, Work work) throws IOException {
        form.complete(folder, size, work);
    }

    /** Returns a record with what the form adds of the folder, wherever that is now. */
    public SortedMap<String, String> record(SortedMap<String, String> record, Path folder) throws IOException {
        SortedMap<String, String> all = new TreeMap<>(record);
        all.putAll(form.fields(folder));
        return all;
    }

    public void settle(Path folder, Work work) throws IOException {
        boolean _ = form.settle(folder, work);
    }

    public String version(Path source) throws IOException {
        return form.version(source);
    }

    public void checkCopied(Path source, String version) throws IOException {
        form.checkCopied(source, version);
    }

    public String missing(Path folder) throws IOException {
        return form.unsettled(folder, size);
    }
}
