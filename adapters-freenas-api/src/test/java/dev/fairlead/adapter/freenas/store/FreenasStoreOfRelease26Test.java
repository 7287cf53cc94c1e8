package dev.fairlead.adapter.freenas.store;

import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;

class FreenasStoreOfRelease26Test extends FreenasSubject {
    FreenasStoreOfRelease26Test() {
        super(Profile.V26, VolumeMedium.Kind.FILESYSTEM);
    }
}
