package dev.fairlead.adapter.freenas.store.destroy;

import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.volume.DatasetTree;
import java.util.stream.Stream;

/** Holds a dataset and all that hangs on it, as they were read together. */
record SeenTree(DatasetEntry entry, DatasetTree tree) {
    boolean isOf(VolumeMedium.Kind kind) {
        return tree.isOf(kind == VolumeMedium.Kind.BLOCK_DEVICE ? DatasetType.VOLUME : DatasetType.FILESYSTEM);
    }

    /**
     * Says whether an entry is of the same dataset, and not of another one that has its name by now, and whether its
     * marks are as they were. The API shows no guid of a dataset with its properties; the time of its creation does.
     */
    boolean isSameAs(DatasetEntry now) {
        boolean sameBirth =
                Stream.of("creation", "type").allMatch(key -> entry.text(key).equals(now.text(key)));
        return sameBirth
                && Stream.of(PeerProperties.MANAGED, PeerProperties.VOLUME_NAME, OwnProperties.STATE)
                        .allMatch(key -> entry.own(key).equals(now.own(key)));
    }
}
