package dev.fairlead.adapter.local.pool;

import dev.fairlead.testkit.contract.volume.VolumeStoreContract;
import java.util.Map;

/** A pool that serves what kubevirt's hostpath-provisioner made keeps what is promised of its own volumes. */
class HostpathStoreTest extends PoolSampleContract implements VolumeStoreContract {
    @Override
    String kind() {
        return "directory";
    }

    @Override
    Map<String, String> keys() {
        return Map.of("hostpathProvisioner", "true");
    }
}
