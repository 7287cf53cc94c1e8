package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.settings.DevicePaths;
import java.util.List;
import java.util.Optional;

/**
 * Tells where volumes were that are gone: devices by their datasets' names, filesystems by where the parent is mounted.
 */
record FormerPlaces(ZfsConnection connection, VolumeMedium.Kind kind) {
    private static final String MOUNTPOINT = "mountpoint";

    /**
     * Returns where a volume was; empty if the connection's file gave filesystems mountpoints of their own, which went
     * with them.
     */
    Optional<VolumeMedium> of(DatasetName gone, Work work) {
        if (kind == VolumeMedium.Kind.BLOCK_DEVICE) {
            return Optional.of(DevicePaths.of(gone));
        }
        if (connection.settings().datasetProperties().containsKey(MOUNTPOINT)) {
            return Optional.empty();
        }
        return connection
                .mountpoints()
                .expected(gone)
                .or(() -> belowParent(gone, work))
                .map(VolumeMedium.Filesystem::new);
    }

    private Optional<String> belowParent(DatasetName gone, Work work) {
        DatasetName parent = gone.parent().orElseThrow();
        return connection
                .host()
                .get(parent.value(), List.of(MOUNTPOINT), work)
                .flatMap(rows -> Optional.ofNullable(rows.get(MOUNTPOINT)))
                .map(Property::value)
                .filter(path -> path.startsWith("/"))
                .flatMap(path -> {
                    connection.mountpoints().seen(parent, path);
                    return connection.mountpoints().expected(gone);
                });
    }
}
