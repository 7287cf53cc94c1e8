package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.pool.dataset.Datasets;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a call runs of {@code zfs} beside the readings of the pool's room: each run takes as long as all else. */
class ZfsCostTest {
    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    /** What is asked of datasets below the pool's own: each is a run of the program. */
    private final List<String> runs = new ArrayList<>();

    private VolumeStore open() throws Exception {
        Datasets counted = WatchedDatasets.of(new PlayedDatasets(folder), (run, dataset) -> {
            if (!dataset.equals("tank/pool")) {
                runs.add(run);
            }
        });
        return new PoolFixture("create", counted)
                .open(PoolFixture.pool("legacy", Files.createDirectory(folder.resolve("pool")), "zfs"));
    }

    private StoredVolume made(VolumeStore store, CreateRequest request) {
        runs.clear();
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    @Test
    void a_volume_takes_six_runs_and_a_repeated_call_one() throws Exception {
        try (VolumeStore store = open()) {
            made(store, TestVolumes.empty("pvc-a"));
            assertThat(runs).containsExactly("create", "find", "limit", "find", "own", "find");

            made(store, TestVolumes.empty("pvc-a"));
            assertThat(runs).containsExactly("find");
        }
    }

    @Test
    void a_snapshot_takes_twelve_runs_and_a_clone_and_a_restore_nine() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume volume = made(store, TestVolumes.empty("pvc-a"));
            runs.clear();
            StoredSnapshot snapshot = store.snapshots()
                    .orElseThrow()
                    .take(TestVolumes.snapshot("snap-1", volume), 100, TestWork.patient());
            assertThat(runs).hasSize(12);

            made(store, TestVolumes.fromVolume("pvc-b", volume.id()));
            assertThat(runs)
                    .containsExactly(
                            "snapshot", "clone", "release", "isReleased", "find", "limit", "find", "own", "find");
            made(store, TestVolumes.fromSnapshot("pvc-c", snapshot.id()));
            assertThat(runs).hasSize(9);
        }
    }
}
