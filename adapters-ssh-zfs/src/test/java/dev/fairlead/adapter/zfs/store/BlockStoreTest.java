package dev.fairlead.adapter.zfs.store;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.ContentTransferContract;
import dev.fairlead.testkit.SnapshotGroupsContract;
import dev.fairlead.testkit.SnapshotStoreContract;
import dev.fairlead.testkit.VolumeAbsenceContract;
import dev.fairlead.testkit.VolumeModificationContract;
import dev.fairlead.testkit.VolumeStoreContract;
import java.util.Map;
import java.util.Optional;

class BlockStoreTest
        implements VolumeStoreContract,
                SnapshotStoreContract,
                SnapshotGroupsContract,
                VolumeModificationContract,
                VolumeAbsenceContract,
                ContentTransferContract {
    private final ZfsBench bench = new ZfsBench(VolumeMedium.Kind.BLOCK_DEVICE, Map.of("datasetParentName", "tank/v"));

    private final ZfsBench other = new ZfsBench(
            VolumeMedium.Kind.BLOCK_DEVICE, Map.of("datasetParentName", "tank/v", "datasetEnableQuotas", true));

    @Override
    public VolumeStore store() {
        return bench.open();
    }

    @Override
    public void write(StoredVolume volume, String file, String content) {
        bench.pool().files("tank/v/" + volume.id()).put(file, content);
    }

    @Override
    public Optional<String> read(StoredVolume volume, String file) {
        return Optional.ofNullable(bench.pool().files("tank/v/" + volume.id()).get(file));
    }

    @Override
    public VolumeStore elsewhere() {
        return other.open();
    }

    @Override
    public Optional<String> readElsewhere(StoredVolume volume, String file) {
        return Optional.ofNullable(other.pool().files("tank/v/" + volume.id()).get(file));
    }

    @Override
    public void verifyElsewhereEmpty() {
        other.verifyEmpty();
    }

    @Override
    public void takeAway() {
        bench.pool().export();
    }

    @Override
    public void bringBack() {
        bench.pool().importAgain();
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of("compression", "zstd-3", "sync", "always", "primarycache", "metadata");
    }

    @Override
    public Map<String, String> otherParameters() {
        return Map.of("compression", "gzip", "sync", "standard", "primarycache", "all");
    }

    @Override
    public Map<String, String> modified(StoredVolume volume) {
        return bench.modified(volume);
    }

    @Override
    public void verifyEmpty() {
        bench.verifyEmpty();
    }
}
