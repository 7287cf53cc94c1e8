package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.testkit.LabScale;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;

class FreenasVolumeStoreTest extends FreenasSubject {
    FreenasVolumeStoreTest() {
        super(LabScale.release(Profile.V25_10), VolumeMedium.Kind.FILESYSTEM);
    }
}
