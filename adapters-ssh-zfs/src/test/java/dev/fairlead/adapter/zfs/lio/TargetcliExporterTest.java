package dev.fairlead.adapter.zfs.lio;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.AccessControlContract;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.io.TempDir;

class TargetcliExporterTest implements AccessControlContract {
    @TempDir
    private Path folder;

    private TargetBench bench() {
        return new TargetBench(new FakeLio(folder));
    }

    @Override
    public Exporter exporter() {
        return bench().exporter(TargetBench.CHAP);
    }

    @Override
    public Exporter spoiled() {
        return bench().spoiled();
    }

    @Override
    public Birth birth(String name) {
        return TargetBench.birth(name);
    }

    @Override
    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        return bench().volume(birth, notes);
    }

    @Override
    public void remove(StoredVolume volume) {
        bench().remove(volume);
    }

    @Override
    public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        return bench().letIn(volume);
    }

    @Override
    public int exports() {
        return bench().exports();
    }
}
