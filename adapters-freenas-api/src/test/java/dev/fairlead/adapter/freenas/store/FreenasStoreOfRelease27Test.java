package dev.fairlead.adapter.freenas.store;

import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;

class FreenasStoreOfRelease27Test extends FreenasSubject {
    FreenasStoreOfRelease27Test() {
        super(Profile.V27, VolumeMedium.Kind.FILESYSTEM);
    }
}
