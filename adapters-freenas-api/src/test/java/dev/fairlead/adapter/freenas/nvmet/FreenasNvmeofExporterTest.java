package dev.fairlead.adapter.freenas.nvmet;

import dev.fairlead.adapter.freenas.testkit.LabScale;
import dev.fairlead.simulator.profile.Profile;

class FreenasNvmeofExporterTest extends NvmeofSubject {
    FreenasNvmeofExporterTest() {
        super(LabScale.release(Profile.V25_10));
    }
}
