package dev.fairlead.adapter.freenas.export;

import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.contract.export.ExporterAbsenceContract;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds an exporter of a simulated box of one release to the contracts of exporters.
 *
 * @param <F> what opens exporters over the box
 */
public abstract class ExporterSubject<F> implements AccessControlContract, ExporterAbsenceContract {
    @TempDir
    private Path folder = Path.of("/nowhere");

    private final Profile profile;
    private final VolumeMedium.Kind kind;
    private final Function<SimulatedBox, F> opening;
    private @Nullable SimulatedBox box;
    private @Nullable F fixture;

    /** @param opening opens a fixture over a box; there is one for each test */
    protected ExporterSubject(Profile profile, VolumeMedium.Kind kind, Function<SimulatedBox, F> opening) {
        this.profile = profile;
        this.kind = kind;
        this.opening = opening;
    }

    @BeforeEach
    void start() {
        box = new SimulatedBox(profile, folder);
        fixture = opening.apply(box);
    }

    @AfterEach
    void end() {
        box().close();
    }

    protected final SimulatedBox box() {
        return Objects.requireNonNull(box);
    }

    protected final F fixture() {
        return Objects.requireNonNull(fixture);
    }

    private ExportedVolumes volumes() {
        return new ExportedVolumes(box(), kind);
    }

    @Override
    public boolean hasReaders() {
        return false;
    }

    @Override
    public Birth birth(String name) {
        return volumes().birth(name);
    }

    @Override
    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        return volumes().volume(birth, notes);
    }

    @Override
    public void remove(StoredVolume volume) {
        volumes().remove(volume);
    }

    @Override
    public void takeAway() {
        box().away(true);
    }

    @Override
    public void bringBack() {
        box().away(false);
    }
}
