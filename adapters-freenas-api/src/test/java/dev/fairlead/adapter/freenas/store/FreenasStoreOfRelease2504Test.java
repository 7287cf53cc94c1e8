package dev.fairlead.adapter.freenas.store;

import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;

class FreenasStoreOfRelease2504Test extends FreenasSubject {
    FreenasStoreOfRelease2504Test() {
        super(Profile.V25_04, VolumeMedium.Kind.FILESYSTEM);
    }
}
