package dev.fairlead.adapter.freenas.nvmet;

import dev.fairlead.simulator.profile.Profile;

class FreenasNvmeofOfRelease27Test extends NvmeofSubject {
    FreenasNvmeofOfRelease27Test() {
        super(Profile.V27);
    }
}
