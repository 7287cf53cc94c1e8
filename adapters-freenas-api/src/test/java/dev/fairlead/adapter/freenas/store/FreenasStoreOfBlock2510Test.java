package dev.fairlead.adapter.freenas.store;

import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;

class FreenasStoreOfBlock2510Test extends FreenasSubject {
    FreenasStoreOfBlock2510Test() {
        super(Profile.V25_10, VolumeMedium.Kind.BLOCK_DEVICE);
    }
}
