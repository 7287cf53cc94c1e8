package dev.fairlead.adapter.freenas.smb;

import dev.fairlead.adapter.freenas.testkit.LabScale;
import dev.fairlead.simulator.profile.Profile;

class FreenasSmbExporterTest extends SmbSubject {
    FreenasSmbExporterTest() {
        super(LabScale.release(Profile.V25_10));
    }
}
