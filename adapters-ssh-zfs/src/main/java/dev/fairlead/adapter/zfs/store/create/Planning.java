package dev.fairlead.adapter.zfs.store.create;

import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.adapter.zfs.store.volume.BirthProperties;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.BlockSize;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.settings.DevicePaths;
import dev.fairlead.zfs.volume.ParentChoice;
import dev.fairlead.zfs.volume.Sizing;
import java.util.Map;

/** Decides what a volume will be, and refuses what cannot be, without asking the storage. */
public record Planning(ZfsConnection connection, BirthProperties properties, VolumeMedium.Kind kind) {
    /** The longest path of a block device, {@code /dev/zvol/<dataset>}; udev and FreeBSD 13 allow 255 bytes for it. */
    private static final int LONGEST_DEVICE = 255;

    public Birth plan(CreateRequest request, NativeId suggested) {
        DatasetName parent = new ParentChoice(connection.layout().parents()).of(request.parameters());
        // Ids that the policy suggests have no label; one with a label is refused like any other suggestion that is
        // no name.
        DatasetName name = DatasetName.of(parent + "/" + suggested)
                .filter(it -> connection.layout().volume(it).isPresent())
                .orElseThrow(() -> refused(
                        "name",
                        "gives the id '" + suggested
                                + "' (expected: 1 to 128 of A-Z, a-z, 0-9, '_' and '-', the first a"
                                + " letter or digit, and with the parent dataset at most " + DatasetName.MAX_BYTES
                                + " bytes)"));
        boolean block = kind == VolumeMedium.Kind.BLOCK_DEVICE;
        if (!block && request.capabilities().stream().anyMatch(VolumeCapability::isBlock)) {
            throw new StorageException(new Failure.Unsupported(
                    "a raw block volume of a store of filesystems",
                    "use volumeMode: Filesystem, or a connection that has block devices"));
        }
        if (block && ("zvol/" + name).length() > LONGEST_DEVICE) {
            throw refused("name", "gives a device path that is too long (expected: a shorter name or parent dataset)");
        }
        Capacity size = size(request);
        VolumeMedium medium = block
                ? DevicePaths.of(name)
                : new VolumeMedium.Filesystem(
                        connection.mountpoints().expected(name).orElse("")); // known once it is mounted
        var birth = new Birth(connection.layout().volume(name).orElseThrow(), request, size, medium, Map.of());
        properties.checkValues(birth);
        return birth;
    }

    private Capacity size(CreateRequest request) {
        var sizing = new Sizing(request.capacity());
        Capacity chosen = request.capacity().choose();
        if (kind != VolumeMedium.Kind.BLOCK_DEVICE) {
            return sizing.exactly(chosen);
        }
        BlockSize blocks = connection.settings().blockSize();
        return request.content() instanceof Content.Empty
                ? sizing.inBlocks(blocks, chosen)
                : sizing.inBlocksOfAnySource(blocks, chosen);
    }

    private static StorageException refused(String field, String expected) {
        return new StorageException(new Failure.InvalidRequest(field, expected));
    }
}
