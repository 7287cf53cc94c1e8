package dev.fairlead.adapter.freenas.nvmet;

import dev.fairlead.simulator.profile.Profile;

class FreenasNvmeofOfRelease2510Test extends NvmeofSubject {
    FreenasNvmeofOfRelease2510Test() {
        super(Profile.V25_10);
    }
}
