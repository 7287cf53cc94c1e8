package dev.fairlead.adapter.local.directory.folder;

import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.domain.capacity.Capacity;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Describes a folder that is to be made.
 *
 * @param source the folder whose content it gets; empty if it gets none
 * @param form what it is beside that content
 * @param size of the volume; zero for a snapshot
 * @param limit of the copy; empty if it is empty, or a copy made at one instant
 */
public record NewFolder(
        RecordedFolders folders,
        String id,
        SortedMap<String, String> record,
        Optional<Path> source,
        RootAttributes attributes,
        FolderForm form,
        Capacity size,
        Optional<CopyLimit> limit) {
    /** Describes one whose copy, if it is one, may take twice what its source holds. */
    public NewFolder(
            RecordedFolders folders,
            String id,
            SortedMap<String, String> record,
            Optional<Path> source,
            RootAttributes attributes,
            FolderForm form,
            Capacity size) {
        this(folders, id, record, source, attributes, form, size, Optional.empty());
    }

    /** Returns the same with a limit of its copy. */
    public NewFolder within(CopyLimit its) {
        return new NewFolder(folders, id, record, source, attributes, form, size, Optional.of(its));
    }
}
