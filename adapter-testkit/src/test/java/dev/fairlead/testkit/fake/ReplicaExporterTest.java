package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.contract.export.ExporterStoreSubject;
import dev.fairlead.testkit.contract.export.NodePublicationContract;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

class ReplicaExporterTest implements NodePublicationContract, ExporterStoreSubject, AccessControlContract {
    private final InMemoryStorage storage = InMemoryStorage.named("memory");
    private final InMemoryReplicas replicas = InMemoryReplicas.of(storage, 2, "a", "b", "c");
    private final VolumeStore store = replicas.store();

    @Override
    public Exporter exporter() {
        return replicas.exporter();
    }

    /** There is no file that this exporter could be spoiled by. */
    @Override
    public Exporter spoiled() {
        return exporter();
    }

    @Override
    public Set<String> availableOn(StoredVolume volume) {
        return replicas.published(volume.id()).initiators().keySet();
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
    public int exports() {
        return storage.exports().size();
    }
}
