package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.simulator.profile.Profile;

class FreenasIscsiOfRelease26Test extends IscsiSubject {
    FreenasIscsiOfRelease26Test() {
        super(Profile.V26);
    }
}
