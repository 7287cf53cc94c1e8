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
 */
public record NewFolder(
        RecordedFolders folders,
        String id,
        SortedMap<String, String> record,
        Optional<Path> source,
        RootAttributes attributes,
        FolderForm form,
        Capacity size) {}
