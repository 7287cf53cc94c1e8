package dev.fairlead.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.contract.export.ExporterReplacementContract;
import dev.fairlead.testkit.contract.export.ExporterStoreSubject;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

class InMemoryExporterTest implements AccessControlContract, ExporterStoreSubject, ExporterReplacementContract {
    private final InMemoryStorage storage = InMemoryStorage.named("memory");
    private final VolumeStore store = new InMemoryVolumeStore(storage);
    private final InMemoryStorage another = storage.in("/memory/another");
    private String before = "";

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

    @Override
    public void putAnother(Optional<StoredVolume> alike) {
        Stream.concat(alike.map(volume -> volume.id().value()).stream(), Stream.of("pvc-other"))
                .forEach(this::exportAnothers);
        before = another.dump();
        storage.replaceBy(another);
    }

    private void exportAnothers(String name) {
        try (VolumeStore others = new InMemoryVolumeStore(another);
                InMemoryExporter exporter = new InMemoryExporter(another)) {
            var birth = others.plan(TestVolumes.empty(name), TestVolumes.id(name));
            StoredVolume volume = others.create(birth, TestWork.patient()).volume();
            exporter.export(volume, TestWork.patient());
            var node = new Grant("node-9", "10.0.0.9", false, AccessMode.SINGLE_NODE_WRITER, false);
            exporter.admit(volume, Grants.NONE.with(node), TestWork.patient());
        }
    }

    @Override
    public void takeAnotherUntouched() {
        assertThat(another.dump()).isEqualTo(before);
    }
}
