package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;

/** Lists what the ids of a pool are of. */
enum PoolItem {
    VOLUME,
    SNAPSHOT;

    RecordedFolders folders(BaseFolderLayout layout) {
        return switch (this) {
            case VOLUME -> layout.volumes();
            case SNAPSHOT -> layout.snapshots();
        };
    }
}
