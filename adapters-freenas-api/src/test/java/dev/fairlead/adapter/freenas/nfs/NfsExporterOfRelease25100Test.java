package dev.fairlead.adapter.freenas.nfs;

import dev.fairlead.simulator.profile.Profile;

class NfsExporterOfRelease25100Test extends NfsSubject {
    NfsExporterOfRelease25100Test() {
        super(Profile.V25_10_0);
    }
}
