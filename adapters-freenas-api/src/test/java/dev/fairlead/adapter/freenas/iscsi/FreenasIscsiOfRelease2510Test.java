package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.simulator.profile.Profile;

class FreenasIscsiOfRelease2510Test extends IscsiSubject {
    FreenasIscsiOfRelease2510Test() {
        super(Profile.V25_10);
    }
}
