package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.pool.dataset.DatasetFolders;
import dev.fairlead.adapter.local.pool.dataset.VolumeDataset;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that name datasets of others, however they came where they are. */
class ZfsOwnersTest {
    private static final NativeId A = new NativeId("pvc-a");
    private static final NativeId B = new NativeId("pvc-b");

    @TempDir(factory = InMemory.class)
    Path folder;

    private PlayedDatasets datasets = PlayedDatasets.NONE;
    private Path pool = Path.of("/nowhere");

    @BeforeEach
    void prepare() throws IOException {
        datasets = new PlayedDatasets(folder);
        pool = Files.createDirectory(folder.resolve("pool"));
    }

    private VolumeStore open() {
        return new PoolFixture("create", datasets).open(PoolFixture.pool("legacy", pool, "zfs"));
    }

    private static StoredVolume make(VolumeStore store, NativeId id) {
        return store.create(store.plan(TestVolumes.empty(id.value()), id), TestWork.patient())
                .volume();
    }

    private VolumeDataset named(NativeId id) throws IOException {
        return VolumeDataset.in(pool.resolve("v/" + id)).orElseThrow();
    }

    private String dataset(NativeId id) throws IOException {
        return named(id).below("tank/pool");
    }

    private PoolExporter exporter() {
        return new PoolExporter(new ConnectionName("test"), List.of(pool), VolumeMedium.Kind.BLOCK_DEVICE, datasets);
    }

    @Test
    void a_dataset_says_whose_it_is() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, A);
            store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", one), 100, TestWork.patient());

            assertThat(datasets.find(dataset(A)).orElseThrow().owner()).isEqualTo("volume/pvc-a");
            assertThat(datasets.at("tank/pool").values())
                    .extracting(it -> it.owner().replaceAll("[^/]*$", ""))
                    .containsExactlyInAnyOrder("", "volume/", "snapshot/");
            assertThat(Files.readString(pool.resolve(".fairlead/volumes/pvc-a.json")))
                    .contains("\"dataset\"", named(A).name());
        }
    }

    @Test
    void a_volume_that_was_being_made_when_the_pool_was_as_it_is_rolled_back_to_is_not_destroyed() throws Exception {
        String dataset;
        try (VolumeStore store = open()) {
            make(store, A);
            dataset = dataset(A);
        }
        Files.move(pool.resolve("v/pvc-a"), pool.resolve(".fairlead/partial/0a1b2c3d.folder.volume.pvc-a"));
        Files.delete(pool.resolve(".fairlead/volumes/pvc-a.json"));
        try (VolumeStore store = open()) {
            make(store, B);
            assertThat(datasets.names()).containsExactlyInAnyOrder(dataset, dataset(B));
            assertThat(store.busy()).isTrue();
        }
    }

    @Test
    void what_an_earlier_process_was_making_is_destroyed() throws Exception {
        try (VolumeStore store = open()) {
            make(store, A);
            datasets.own(dataset(A), "making volume/pvc-a");
        }
        Files.move(pool.resolve("v/pvc-a"), pool.resolve(".fairlead/partial/0a1b2c3d.folder.volume.pvc-a"));
        try (VolumeStore store = open()) {
            make(store, B);
            assertThat(datasets.names()).containsExactly(dataset(B));
            assertThat(store.busy()).isFalse();
        }
    }

    @Test
    void a_call_that_ended_too_early_is_settled_when_it_is_repeated() throws Exception {
        try (VolumeStore store = open()) {
            make(store, A);
            datasets.own(dataset(A), "making volume/pvc-a");
            make(store, A);
            assertThat(datasets.find(dataset(A)).orElseThrow().owner()).isEqualTo("volume/pvc-a");
        }
    }

    /** A folder of a pod, as of a pool that was of kind directory before, with a file in it that names a neighbour. */
    private StoredVolume forged(VolumeStore store) throws IOException {
        Files.createDirectory(pool.resolve("v/pvc-b"));
        Files.copy(VolumeDataset.file(pool.resolve("v/pvc-a")), VolumeDataset.file(pool.resolve("v/pvc-b")));
        return store.find(B, TestWork.patient()).orElseThrow();
    }

    @Test
    void what_a_pod_wrote_into_its_folder_gives_it_no_other_dataset() throws Exception {
        try (VolumeStore store = open()) {
            make(store, A);
            StoredVolume forged = forged(store);

            assertThat(exporter().attachment(forged, TestWork.patient())).isEmpty();
            Failing.with(Failure.VolumeNotFound.class, () -> exporter().export(forged, TestWork.patient()));
            Failing.with(
                    Failure.NotOurs.class,
                    () -> store.create(
                            store.plan(TestVolumes.fromVolume("pvc-c", B), new NativeId("pvc-c")), TestWork.patient()));
            var _ = store.room(Map.of(), TestWork.patient());

            store.delete(B, OnDependents.REFUSE, TestWork.patient());
            assertThat(datasets.names()).containsExactly(dataset(A));
            assertThat(store.busy()).isFalse();
            assertThat(store.find(A, TestWork.patient())).isPresent();
        }
    }

    @Test
    void a_pool_on_another_dataset_than_its_volumes_are_known_by_is_refused() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, A);
            String dataset = dataset(A);
            datasets.mount("tank2/pool");

            Failing.with(Failure.BackendUnavailable.class, () -> exporter().export(one, TestWork.patient()));
            Failing.with(Failure.BackendUnavailable.class, () -> make(store, B));
            assertThatThrownBy(() -> store.delete(A, OnDependents.REFUSE, TestWork.patient()))
                    .hasMessageContaining("PersistentVolumes name those below tank/pool");
            assertThatThrownBy(() -> store.room(Map.of(), TestWork.patient())).hasMessageContaining("tank2/pool");

            datasets.mount("tank/pool");
            assertThat(exporter().attachment(one, TestWork.patient())).contains(new Attachment.ZfsLocal(dataset));
        }
    }

    @Test
    void datasets_that_no_folder_names_are_found() throws Exception {
        String stray = "tank/pool/fairlead-6e12c6c8-ec2e-487b-bb96-b8bae5adb561";
        DatasetFolders folders = new DatasetFolders(new BaseFolderLayout(pool));
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, A);
            store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", one), 100, TestWork.patient());
            make(store, B);
            Files.move(pool.resolve("v/pvc-b"), pool.resolve(".fairlead/partial/0a1b2c3d.folder.volume.pvc-b"));
            datasets.create("tank/pool/other", "-");
            assertThat(folders.strays(datasets)).isEmpty();

            datasets.create(stray, "making volume/pvc-c");
            assertThat(folders.strays(datasets)).containsExactly(stray);
        }
        try (VolumeStore store = open()) {
            var _ = store.room(Map.of(), TestWork.patient()); // which tells it
            assertThat(datasets.names()).contains(stray);
        }
    }

    @Test
    void a_dataset_that_says_it_is_anothers_is_not_destroyed() throws Exception {
        try (VolumeStore store = open()) {
            make(store, A);
            datasets.own(dataset(A), "-");
            String dataset = dataset(A);
            store.delete(A, OnDependents.REFUSE, TestWork.patient());

            assertThat(datasets.names()).containsExactly(dataset);
            assertThat(store.busy()).isTrue();
        }
    }
}
