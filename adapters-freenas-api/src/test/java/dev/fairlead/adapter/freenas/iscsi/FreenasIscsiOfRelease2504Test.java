package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.simulator.profile.Profile;

class FreenasIscsiOfRelease2504Test extends IscsiSubject {
    FreenasIscsiOfRelease2504Test() {
        super(Profile.V25_04);
    }
}
