package dev.fairlead.adapter.zfs.store;

import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.contract.volume.ContentProbeContract;
import java.util.Map;

class BlockStoreTest extends PoolStoreContract implements ContentProbeContract {
    BlockStoreTest() {
        super(
                new ZfsFixture(VolumeMedium.Kind.BLOCK_DEVICE, Map.of("datasetParentName", "tank/v")),
                VolumeMedium.Kind.BLOCK_DEVICE);
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of("compression", "zstd-3", "sync", "always", "primarycache", "metadata");
    }

    @Override
    public Map<String, String> otherParameters() {
        return Map.of("compression", "gzip", "sync", "standard", "primarycache", "all");
    }
}
