package dev.fairlead.adapter.local.directory.form;

import dev.fairlead.domain.volume.VolumeMedium;
import java.nio.file.Path;
import java.util.Set;

/** Describes folders that hold their users' files, and whose sizes are noted only. */
public final class PlainFolder implements FolderForm {
    public static final PlainFolder FORM = new PlainFolder();

    private PlainFolder() {}

    @Override
    public Set<VolumeMedium.Kind> media() {
        return Set.of(VolumeMedium.Kind.FILESYSTEM);
    }

    @Override
    public VolumeMedium medium(Path folder) {
        return new VolumeMedium.Filesystem(folder.toString());
    }
}
