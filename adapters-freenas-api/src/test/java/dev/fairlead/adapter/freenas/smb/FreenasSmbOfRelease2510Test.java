package dev.fairlead.adapter.freenas.smb;

import dev.fairlead.simulator.profile.Profile;

class FreenasSmbOfRelease2510Test extends SmbSubject {
    FreenasSmbOfRelease2510Test() {
        super(Profile.V25_10);
    }
}
