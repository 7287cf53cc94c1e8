package dev.fairlead.adapter.freenas.nfs;

import dev.fairlead.simulator.profile.Profile;

class NfsExporterOfRelease26BetaTest extends NfsSubject {
    NfsExporterOfRelease26BetaTest() {
        super(Profile.V26_BETA);
    }
}
