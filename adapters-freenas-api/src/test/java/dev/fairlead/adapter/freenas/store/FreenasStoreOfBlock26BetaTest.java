package dev.fairlead.adapter.freenas.store;

import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.contract.volume.ContentProbeContract;

class FreenasStoreOfBlock26BetaTest extends FreenasSubject implements ContentProbeContract {
    FreenasStoreOfBlock26BetaTest() {
        super(Profile.V26_BETA, VolumeMedium.Kind.BLOCK_DEVICE);
    }
}
