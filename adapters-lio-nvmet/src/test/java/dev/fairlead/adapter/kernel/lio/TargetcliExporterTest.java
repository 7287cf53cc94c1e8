package dev.fairlead.adapter.kernel.lio;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.contract.export.ExporterAbsenceContract;
import dev.fairlead.testkit.contract.export.ExporterServiceContract;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.io.TempDir;

class TargetcliExporterTest implements AccessControlContract, ExporterAbsenceContract, ExporterServiceContract {
    @TempDir
    private Path folder;

    private FakeLio lio() {
        return new FakeLio(folder);
    }

    private TargetFixture bench() {
        return new TargetFixture(lio());
    }

    @Override
    public Exporter exporter() {
        return bench().exporter(TargetFixture.CHAP);
    }

    @Override
    public Exporter spoiled() {
        return bench().spoiled();
    }

    @Override
    public Birth birth(String name) {
        return bench().birth(name);
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
    public void takeAway() {
        lio().move("dev", "dev.away");
    }

    @Override
    public void bringBack() {
        lio().move("dev.away", "dev");
    }

    @Override
    public void hideService() {
        lio().move("lio", "lio.away");
    }

    @Override
    public void showService() {
        lio().move("lio.away", "lio");
    }

    @Override
    public int exports() {
        return bench().exports();
    }
}
