package dev.fairlead.adapter.freenas.iscsi;

import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.contract.export.ExporterAbsenceContract;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contracts of exporters over the targets of a simulated box of one release. */
abstract class IscsiSubject implements AccessControlContract, ExporterAbsenceContract {
    @TempDir
    private Path folder = Path.of("/nowhere");

    private final Profile profile;
    private @Nullable IscsiFixture fixture;

    IscsiSubject(Profile profile) {
        this.profile = profile;
    }

    @BeforeEach
    void start() {
        fixture = new IscsiFixture(new SimulatedBox(profile, folder));
    }

    @AfterEach
    void end() {
        fixture().box().close();
    }

    IscsiFixture fixture() {
        return Objects.requireNonNull(fixture);
    }

    @Override
    public Exporter exporter() {
        return fixture().exporter(IscsiFixture.BY_NUMBER);
    }

    @Override
    public Exporter spoiled() {
        return fixture()
                .exporter(IscsiFixture.with(
                        "targetGroups",
                        List.of(Map.of(
                                "targetGroupPortalGroup",
                                99,
                                "targetGroupAuthType",
                                "CHAP",
                                "targetGroupAuthGroup",
                                98))));
    }

    @Override
    public boolean hasReaders() {
        return false;
    }

    @Override
    public Birth birth(String name) {
        return fixture().volumes().birth(name);
    }

    @Override
    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        return fixture().volumes().volume(birth, notes);
    }

    @Override
    public void remove(StoredVolume volume) {
        fixture().volumes().remove(volume);
    }

    @Override
    public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        return fixture().letIn(volume);
    }

    @Override
    public int exports() {
        return fixture().exports();
    }

    @Override
    public void takeAway() {
        fixture().box().away(true);
    }

    @Override
    public void bringBack() {
        fixture().box().away(false);
    }
}
