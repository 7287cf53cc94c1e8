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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells by {@code logicalreferenced} whether a block volume holds anything. Every block with content counts there with
 * its full size, however small it is compressed, and a block that was discarded does not count. So do a few blocks that
 * ZFS keeps for itself, by the size that they take on the pool's disks, which is why a little content cannot be told
 * from none on most pools.
 */
record ZfsContentProbe(ZfsConnection connection) implements ContentProbe {
    private static final String REFERENCED = "logicalreferenced";
    private static final String BLOCK_SIZE = "volblocksize";
    private static final List<String> ASKED = List.of(REFERENCED, BLOCK_SIZE);

    /** Less than ZFS keeps for itself of any block volume: 6 KiB on disks with sectors of 512 bytes, 28 of 4 KiB. */
    static final long LEAST_OVERHEAD = 5 << 10;

    /**
     * More than ZFS keeps for itself of any block volume without content: its table of objects has five levels of one
     * block, of at most 128 KiB each, and what else there is takes some 20 KiB.
     */
    static final long MOST_OVERHEAD = 1 << 20;

    private static final BlockSize SMALLEST = new BlockSize(512);

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
        long referenced = Long.parseLong(printed);
        if (referenced > MOST_OVERHEAD) {
            return HostFinding.WRITTEN;
        }
        BlockSize block = value(rows, BLOCK_SIZE).flatMap(BlockSize::of).orElse(SMALLEST);
        return referenced < LEAST_OVERHEAD + block.bytes() ? HostFinding.BLANK : HostFinding.UNKNOWN;
    }

    private static Optional<String> value(Map<String, Property> rows, String key) {
        return Optional.ofNullable(rows.get(key)).map(Property::value);
    }

    private static StorageException notFound(NativeId id) {
        return new StorageException(new Failure.VolumeNotFound(id.value()));
    }
}
