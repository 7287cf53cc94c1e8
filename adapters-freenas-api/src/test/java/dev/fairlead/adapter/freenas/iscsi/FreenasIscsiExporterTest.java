package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.adapter.freenas.testkit.LabScale;
import dev.fairlead.simulator.profile.Profile;

class FreenasIscsiExporterTest extends IscsiSubject {
    FreenasIscsiExporterTest() {
        super(LabScale.release(Profile.V25_10));
    }
}
