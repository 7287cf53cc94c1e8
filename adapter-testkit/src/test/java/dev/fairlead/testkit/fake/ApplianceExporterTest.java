package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.testkit.contract.export.ExporterStoreSubject;

class ApplianceExporterTest implements ExporterStoreSubject {
    private final Appliance appliance = new Appliance();
    private final VolumeStore store = new InMemoryVolumeStore(InMemoryStorage.named("memory"));

    @Override
    public Exporter exporter() {
        return new ApplianceExporter(appliance);
    }

    @Override
    public VolumeStore store() {
        return store;
    }

    @Override
    public int exports() {
        return appliance.shares().size();
    }
}
