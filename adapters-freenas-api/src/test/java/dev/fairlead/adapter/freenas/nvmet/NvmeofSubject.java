package dev.fairlead.adapter.freenas.nvmet;

import dev.fairlead.adapter.freenas.export.ExporterSubject;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** The contracts of exporters over the subsystems of a simulated box of one release. */
abstract class NvmeofSubject extends ExporterSubject<NvmeofFixture> {
    NvmeofSubject(Profile profile) {
        super(profile, VolumeMedium.Kind.BLOCK_DEVICE, NvmeofFixture::of);
    }

    @Override
    public Exporter exporter() {
        return fixture().exporter(NvmeofFixture.BY_NUMBER);
    }

    @Override
    public Exporter spoiled() {
        return fixture().exporter(NvmeofFixture.with("ports", List.of(99)));
    }

    @Override
    public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        return fixture().letIn(volume);
    }

    @Override
    protected String lettingIn() {
        return "nvmet.host_subsys.create";
    }

    @Override
    protected String shuttingOut() {
        return "nvmet.host_subsys.delete";
    }

    @Override
    public int exports() {
        return fixture().exports();
    }
}
