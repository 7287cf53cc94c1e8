package dev.fairlead.adapter.freenas.smb;

import dev.fairlead.simulator.profile.Profile;

class FreenasSmbOfRelease26Test extends SmbSubject {
    FreenasSmbOfRelease26Test() {
        super(Profile.V26);
    }
}
