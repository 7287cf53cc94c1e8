package dev.fairlead.adapter.freenas.nvmet;

import dev.fairlead.simulator.profile.Profile;

class FreenasNvmeofExporterTest extends NvmeofSubject {
    FreenasNvmeofExporterTest() {
        super(Profile.V25_10);
    }
}
