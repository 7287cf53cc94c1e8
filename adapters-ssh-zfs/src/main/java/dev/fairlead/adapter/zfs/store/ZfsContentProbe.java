package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.store.ContentProbe;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.BlockSize;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.volume.VolumeContent;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells by what ZFS prints of a block volume whether it holds anything, see {@link VolumeContent}. */
record ZfsContentProbe(ZfsConnection connection) implements ContentProbe {
    private static final String REFERENCED = "logicalreferenced";
    private static final String BLOCK_SIZE = "volblocksize";
    private static final List<String> ASKED = List.of(REFERENCED, BLOCK_SIZE);

    /** Returns the probe of a store of block volumes; a filesystem has nothing to be formatted. */
    static Optional<ContentProbe> of(ZfsConnection connection, VolumeMedium.Kind kind) {
        return kind == VolumeMedium.Kind.BLOCK_DEVICE ? Optional.of(new ZfsContentProbe(connection)) : Optional.empty();
    }

    @Override
    public HostFinding probe(NativeId id, Work work) {
        ZfsHost host = connection.host();
        DatasetName name = connection.layout().volume(id).orElseThrow(() -> notFound(id));
        Map<String, Property> rows = host.get(name.value(), ASKED, work).orElseThrow(() -> notFound(id));
        String printed = value(rows, REFERENCED).orElse("nothing");
        if (!printed.matches("[0-9]{1,18}")) {
            throw host.untrue(name + " references " + printed);
        }
        return VolumeContent.of(Long.parseLong(printed), value(rows, BLOCK_SIZE).flatMap(BlockSize::of));
    }

    private static Optional<String> value(Map<String, Property> rows, String key) {
        return Optional.ofNullable(rows.get(key)).map(Property::value);
    }

    private static StorageException notFound(NativeId id) {
        return new StorageException(new Failure.VolumeNotFound(id.value()));
    }
}
