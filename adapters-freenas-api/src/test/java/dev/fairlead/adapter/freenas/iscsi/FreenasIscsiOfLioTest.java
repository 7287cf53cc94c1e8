package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.simulator.profile.Profile;

class FreenasIscsiOfLioTest extends IscsiSubject {
    FreenasIscsiOfLioTest() {
        super(Profile.V26, IscsiFixture::lio);
    }
}
