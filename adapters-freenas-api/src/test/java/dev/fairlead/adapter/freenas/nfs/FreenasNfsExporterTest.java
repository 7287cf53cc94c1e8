package dev.fairlead.adapter.freenas.nfs;

import dev.fairlead.simulator.profile.Profile;

class FreenasNfsExporterTest extends NfsSubject {
    FreenasNfsExporterTest() {
        super(Profile.V25_10);
    }
}
