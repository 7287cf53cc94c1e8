package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.simulator.profile.Profile;

class FreenasIscsiExporterTest extends IscsiSubject {
    FreenasIscsiExporterTest() {
        super(Profile.V25_10);
    }
}
