package dev.fairlead.adapter.freenas.nvmet;

import dev.fairlead.simulator.profile.Profile;

class FreenasNvmeofOfRelease26BetaTest extends NvmeofSubject {
    FreenasNvmeofOfRelease26BetaTest() {
        super(Profile.V26_BETA);
    }
}
