package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.contract.export.ExporterAbsenceContract;
import dev.fairlead.testkit.contract.export.ExporterStoreSubject;
import java.util.Optional;
import java.util.SortedMap;

class InMemoryExporterTest implements AccessControlContract, ExporterStoreSubject, ExporterAbsenceContract {
    private final InMemoryStorage storage = InMemoryStorage.named("memory");
    private final VolumeStore store = new InMemoryVolumeStore(storage);

    @Override
    public Exporter exporter() {
        return new InMemoryExporter(storage);
    }

    /** There is no file that this exporter could be spoiled by. */
    @Override
    public Exporter spoiled() {
        return exporter();
    }

    @Override
    public VolumeStore store() {
        return store;
    }

    @Override
    public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        return storage.admitted(volume.id()).map(Grants::initiators);
    }

    @Override
    public void takeAway() {
        storage.failWith(new Failure.BackendUnavailable(storage.name(), "it is away"));
    }

    @Override
    public void bringBack() {
        storage.recover();
    }

    @Override
    public int exports() {
        return storage.exports().size();
    }
}
