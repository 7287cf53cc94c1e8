package dev.fairlead.adapter.freenas.nfs;

import dev.fairlead.adapter.freenas.testkit.LabScale;
import dev.fairlead.simulator.profile.Profile;

class FreenasNfsExporterTest extends NfsSubject {
    FreenasNfsExporterTest() {
        super(LabScale.release(Profile.V25_10));
    }
}
