package dev.fairlead.adapter.freenas.service;

import dev.fairlead.adapter.freenas.nfs.NfsSubject;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.work.MonotonicClock;
import dev.fairlead.simulator.profile.Profile;

/** An exporter is held to its contracts while the service that it needs is watched. */
class CheckedExporterTest extends NfsSubject {
    CheckedExporterTest() {
        super(Profile.V25_10);
    }

    @Override
    public Exporter exporter() {
        return new CheckedExporter(
                super.exporter(), new ServiceWatch(box().client().get(), BoxService.NFS, new MonotonicClock()));
    }
}
