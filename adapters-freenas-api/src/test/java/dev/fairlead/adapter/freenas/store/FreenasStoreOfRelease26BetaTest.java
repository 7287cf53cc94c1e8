package dev.fairlead.adapter.freenas.store;

import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;

class FreenasStoreOfRelease26BetaTest extends FreenasSubject {
    FreenasStoreOfRelease26BetaTest() {
        super(Profile.V26_BETA, VolumeMedium.Kind.FILESYSTEM);
    }
}
