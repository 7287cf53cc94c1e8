package dev.fairlead.adapter.freenas.smb;

import dev.fairlead.simulator.profile.Profile;

class FreenasSmbOfRelease2504Test extends SmbSubject {
    FreenasSmbOfRelease2504Test() {
        super(Profile.V25_04);
    }
}
