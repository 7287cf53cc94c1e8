package dev.fairlead.adapter.freenas.smb;

import dev.fairlead.simulator.profile.Profile;

class FreenasSmbExporterTest extends SmbSubject {
    FreenasSmbExporterTest() {
        super(Profile.V25_10);
    }
}
