package dev.fairlead.adapter.freenas.store;

import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;

class FreenasStoreOfScale2410Test extends FreenasSubject {
    FreenasStoreOfScale2410Test() {
        super(Profile.SCALE_24_10, VolumeMedium.Kind.FILESYSTEM);
    }
}
