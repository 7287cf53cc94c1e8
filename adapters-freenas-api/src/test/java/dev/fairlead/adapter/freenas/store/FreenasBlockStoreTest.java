package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.testkit.LabScale;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;

class FreenasBlockStoreTest extends FreenasSubject {
    FreenasBlockStoreTest() {
        super(LabScale.release(Profile.V26), VolumeMedium.Kind.BLOCK_DEVICE);
    }
}
