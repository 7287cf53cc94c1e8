package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.simulator.profile.Profile;

class FreenasIscsiOfCore130Test extends IscsiSubject {
    FreenasIscsiOfCore130Test() {
        super(Profile.CORE_13_0);
    }
}
