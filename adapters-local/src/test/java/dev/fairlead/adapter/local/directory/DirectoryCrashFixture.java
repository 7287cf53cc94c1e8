package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.tree.TreeDelete;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.testkit.crash.CrashFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/** One base folder, on which each process opens a store of its own. */
final class DirectoryCrashFixture implements CrashFixture<VolumeStore> {
    private final Path base;
    private final Map<String, String> settings;

    DirectoryCrashFixture(Path base, Map<String, String> settings) {
        this.base = base;
        this.settings = settings;
    }

    @Override
    public void reset() {
        try {
            if (RecordedFolders.stat(base).isPresent()) {
                TreeDelete.delete(base);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public VolumeStore open() {
        return new DirectoryFixture(base).open(settings);
    }

    @Override
    public void close(VolumeStore store) {
        store.close();
    }

    @Override
    public String dump() {
        return Dump.of(base);
    }
}
