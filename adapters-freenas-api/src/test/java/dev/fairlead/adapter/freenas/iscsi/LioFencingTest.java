package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.simulator.profile.Profile;
import java.nio.file.Path;

/** Whom LIO, the other target of a box of 26, lets in when calls are cut and others interfere. */
class LioFencingTest extends IscsiFencingTest {
    @Override
    IscsiFixture fixture(Path state) {
        return IscsiFixture.lio(new SimulatedBox(Profile.V26, state));
    }
}
