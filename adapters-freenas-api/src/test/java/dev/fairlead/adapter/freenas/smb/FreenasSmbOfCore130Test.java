package dev.fairlead.adapter.freenas.smb;

import dev.fairlead.simulator.profile.Profile;

class FreenasSmbOfCore130Test extends SmbSubject {
    FreenasSmbOfCore130Test() {
        super(Profile.CORE_13_0);
    }
}
