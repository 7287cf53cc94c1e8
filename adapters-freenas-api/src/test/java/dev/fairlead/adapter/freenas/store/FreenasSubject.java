package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.contract.snapshot.SnapshotGroupsContract;
import dev.fairlead.testkit.contract.snapshot.SnapshotStoreContract;
import dev.fairlead.testkit.contract.volume.VolumeModificationContract;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contracts of stores over a simulated box of one release. */
@Execution(ExecutionMode.CONCURRENT)
abstract class FreenasSubject
        implements VolumeStoreContract, SnapshotStoreContract, SnapshotGroupsContract, VolumeModificationContract {
    @TempDir
    private Path folder = Path.of("/nowhere");

    /** All stores are of one process: what another one has noted is waited for, as other tests show. */
    private final LateCalls late = new LateCalls(InstantSource.system());

    private final Profile profile;
    private final VolumeMedium.Kind kind;
    private @Nullable SimulatedBox box;

    FreenasSubject(Profile profile, VolumeMedium.Kind kind) {
        this.profile = profile;
        this.kind = kind;
    }

    @BeforeEach
    void start() {
        box = new SimulatedBox(profile, folder);
    }

    SimulatedBox box() {
        return java.util.Objects.requireNonNull(box);
    }

    @Override
    public VolumeStore store() {
        return FreenasFixture.store(box().client(), kind, Map.of(), late);
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of("compression", "zstd", "sync", "always");
    }

    @Override
    public Map<String, String> otherParameters() {
        return Map.of("compression", "gzip-9", "sync", "disabled");
    }

    @Override
    public Map<String, String> modified(StoredVolume volume) {
        return box().own(dataset(volume), Set.of("compression", "sync", "recordsize", "atime"));
    }

    private static String dataset(StoredVolume volume) {
        return volume.medium().path().replaceFirst("^/(mnt|dev/zvol)/", "");
    }

    @Override
    public void write(StoredVolume volume, String file, String content) {
        box().write(dataset(volume), file, content);
    }

    @Override
    public Optional<String> read(StoredVolume volume, String file) {
        return box().read(dataset(volume), file);
    }

    @Override
    public void verifyEmpty() {
        assertThat(box().left()).isEmpty();
    }
}
