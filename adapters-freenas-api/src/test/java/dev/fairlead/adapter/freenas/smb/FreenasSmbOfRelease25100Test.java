package dev.fairlead.adapter.freenas.smb;

import dev.fairlead.simulator.profile.Profile;

class FreenasSmbOfRelease25100Test extends SmbSubject {
    FreenasSmbOfRelease25100Test() {
        super(Profile.V25_10_0);
    }
}
