package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.simulator.profile.Profile;
import java.nio.file.Path;

/** That no order of calls leaves a target of LIO open to all either. */
class LioGroupsTest extends IscsiGroupsTest {
    @Override
    IscsiFixture fixture(Path state) {
        return IscsiFixture.lio(new SimulatedBox(Profile.V26, state));
    }
}
