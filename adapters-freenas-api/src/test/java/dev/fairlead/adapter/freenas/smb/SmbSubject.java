package dev.fairlead.adapter.freenas.smb;

import dev.fairlead.adapter.freenas.export.ExporterSubject;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import java.util.Optional;
import java.util.SortedMap;

/** The contracts of exporters over the shares of a simulated box of one release. */
abstract class SmbSubject extends ExporterSubject<SmbFixture> {
    SmbSubject(Profile profile) {
        super(profile, VolumeMedium.Kind.FILESYSTEM, SmbFixture::of);
    }

    @Override
    public Exporter exporter() {
        return fixture().exporter(SmbFixture.PLAIN);
    }

    @Override
    public Exporter spoiled() {
        return fixture().exporter(SmbFixture.with("shareAuxiliaryConfigurationTemplate", "vfs objects = nothing"));
    }

    @Override
    public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        return fixture().letIn(volume);
    }

    @Override
    protected String shuttingOut() {
        return "sharing.smb.update";
    }

    @Override
    public int exports() {
        return fixture().exports();
    }
}
