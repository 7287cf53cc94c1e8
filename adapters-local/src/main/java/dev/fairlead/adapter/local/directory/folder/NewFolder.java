package dev.fairlead.adapter.local.directory.folder;

import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.form.SizedForm;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Describes a folder that is to be made.
 *
 * @param source the folder whose content it gets; empty if it gets none
 * @param form what it gets beside that content
 */
public record NewFolder(
        RecordedFolders folders,
        String id,
        SortedMap<String, String> record,
        Optional<Path> source,
        RootAttributes attributes,
        SizedForm form) {}
