package dev.fairlead.adapter.freenas.smb;

import dev.fairlead.simulator.profile.Profile;

class FreenasSmbOfScale2410Test extends SmbSubject {
    FreenasSmbOfScale2410Test() {
        super(Profile.SCALE_24_10);
    }
}
