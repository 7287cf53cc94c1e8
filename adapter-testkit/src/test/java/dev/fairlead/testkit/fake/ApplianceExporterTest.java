package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.export.ExporterContract;
import java.util.Map;

class ApplianceExporterTest implements ExporterContract {
    private final Appliance appliance = new Appliance();
    private final VolumeStore store = new InMemoryVolumeStore(InMemoryStorage.named("memory"));

    @Override
    public Exporter exporter() {
        return new ApplianceExporter(appliance);
    }

    @Override
    public Birth birth(String name) {
        return store.plan(TestVolumes.empty(name), TestVolumes.id(name));
    }

    @Override
    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        return store.create(birth.noting(notes), TestWork.patient()).volume();
    }

    @Override
    public void remove(StoredVolume volume) {
        store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
    }

    @Override
    public int exports() {
        return appliance.shares().size();
    }
}
