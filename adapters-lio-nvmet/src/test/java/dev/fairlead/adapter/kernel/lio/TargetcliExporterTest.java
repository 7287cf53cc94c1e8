package dev.fairlead.adapter.kernel.lio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.kernel.OtherTarget;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.contract.export.ExporterReplacementContract;
import dev.fairlead.testkit.contract.export.ExporterServiceContract;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.io.TempDir;

class TargetcliExporterTest implements AccessControlContract, ExporterReplacementContract, ExporterServiceContract {
    @TempDir
    private Path folder;

    private String before = "";

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

    /** A device is known by its path alone. */
    @Override
    public boolean knowsTheStorage() {
        return false;
    }

    @Override
    public void putAnother(Optional<StoredVolume> alike) {
        alike.ifPresent(volume -> lio().write("dev/tank/v/" + volume.id(), "another's"));
        try (Exporter exporter = bench().exporter(TargetFixture.OPEN)) {
            another().export(exporter);
        }
        before = dumpAnother();
    }

    private OtherTarget another() {
        return new OtherTarget(bench().volume(OtherTarget.NAME), "iqn.1993-08.org.debian:01:other");
    }

    /** What the host has of it, in the kernel and saved. */
    private String dumpAnother() {
        return OtherTarget.dump(folder.resolve("lio/iscsi/" + TargetFixture.BASE + ":" + OtherTarget.NAME))
                + lio().saved().lines().filter(line -> line.contains("other")).toList()
                + OtherTarget.dump(folder.resolve("dev"));
    }

    @Override
    public void takeAnotherUntouched() {
        assertThat(dumpAnother()).isEqualTo(before);
        try (Exporter exporter = bench().exporter(TargetFixture.OPEN)) {
            another().unexport(exporter);
        }
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
