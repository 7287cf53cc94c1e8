package dev.fairlead.adapter.freenas.nfs;

import dev.fairlead.simulator.profile.Profile;

class NfsExporterOfRelease2510Test extends NfsSubject {
    NfsExporterOfRelease2510Test() {
        super(Profile.V25_10);
    }
}
