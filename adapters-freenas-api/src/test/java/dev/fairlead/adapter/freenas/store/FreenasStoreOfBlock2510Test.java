package dev.fairlead.adapter.freenas.store;

import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.contract.volume.ContentProbeContract;

class FreenasStoreOfBlock2510Test extends FreenasSubject implements ContentProbeContract {
    FreenasStoreOfBlock2510Test() {
        super(Profile.V25_10, VolumeMedium.Kind.BLOCK_DEVICE);
    }
}
