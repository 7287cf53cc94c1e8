package dev.fairlead.adapter.freenas.nfs;

import dev.fairlead.simulator.profile.Profile;

class NfsExporterOfScale2410Test extends NfsSubject {
    NfsExporterOfScale2410Test() {
        super(Profile.SCALE_24_10);
    }
}
