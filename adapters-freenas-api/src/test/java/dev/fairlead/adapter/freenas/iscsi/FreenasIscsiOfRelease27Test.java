package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.simulator.profile.Profile;

class FreenasIscsiOfRelease27Test extends IscsiSubject {
    FreenasIscsiOfRelease27Test() {
        super(Profile.V27);
    }
}
