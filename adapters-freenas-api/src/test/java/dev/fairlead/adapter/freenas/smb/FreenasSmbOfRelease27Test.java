package dev.fairlead.adapter.freenas.smb;

import dev.fairlead.simulator.profile.Profile;

class FreenasSmbOfRelease27Test extends SmbSubject {
    FreenasSmbOfRelease27Test() {
        super(Profile.V27);
    }
}
