package dev.fairlead.adapter.freenas.nvmet;

import dev.fairlead.simulator.profile.Profile;

class FreenasNvmeofOfRelease26Test extends NvmeofSubject {
    FreenasNvmeofOfRelease26Test() {
        super(Profile.V26);
    }
}
