package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.simulator.profile.Profile;

class FreenasIscsiOfScale2410Test extends IscsiSubject {
    FreenasIscsiOfScale2410Test() {
        super(Profile.SCALE_24_10);
    }
}
