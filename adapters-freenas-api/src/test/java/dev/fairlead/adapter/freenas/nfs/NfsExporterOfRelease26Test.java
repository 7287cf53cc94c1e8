package dev.fairlead.adapter.freenas.nfs;

import dev.fairlead.simulator.profile.Profile;

class NfsExporterOfRelease26Test extends NfsSubject {
    NfsExporterOfRelease26Test() {
        super(Profile.V26);
    }
}
