package dev.fairlead.adapter.freenas.store;

import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;

class FreenasStoreOfRelease2510Test extends FreenasSubject {
    FreenasStoreOfRelease2510Test() {
        super(Profile.V25_10, VolumeMedium.Kind.FILESYSTEM);
    }
}
