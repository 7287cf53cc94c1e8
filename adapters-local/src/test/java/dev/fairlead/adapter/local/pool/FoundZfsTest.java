package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.pool.dataset.VolumeDataset;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.CreateRequest;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools that are, or are not, of datasets since they lie on one. */
class FoundZfsTest {
    private static final NativeId A = new NativeId("pvc-a");

    @TempDir(factory = InMemory.class)
    Path folder;

    private PlayedDatasets datasets = PlayedDatasets.NONE;
    private Path pool = Path.of("/nowhere");

    @BeforeEach
    void prepare() throws IOException {
        datasets = new PlayedDatasets(folder);
        pool = Files.createDirectory(folder.resolve("pool"));
    }

    private PoolFixture process() {
        return new PoolFixture("create", datasets);
    }

    private VolumeStore open() {
        return process().openTold(PoolFixture.unsaid("legacy", pool, Map.of()));
    }

    private Exporter exporter() {
        return new PoolExporter(new ConnectionName("test"), List.of(pool), VolumeMedium.Kind.BLOCK_DEVICE, datasets);
    }

    private static StoredVolume make(VolumeStore store, NativeId id) {
        return make(store, TestVolumes.empty(id.value()));
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private VolumeDataset named() throws IOException {
        return VolumeDataset.in(pool.resolve("v/pvc-a")).orElseThrow();
    }

    @Test
    void a_pool_is_of_datasets_where_it_lies_on_one_and_nodes_are_told_their_full_names() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, A);

            assertThat(exporter()
                            .plan(store.plan(TestVolumes.empty("pvc-b"), new NativeId("pvc-b")))
                            .attachment())
                    .isEmpty();
            assertThat(exporter().export(one, TestWork.patient()).attachment())
                    .isEqualTo(new Attachment.ZfsLocal("tank/pool/" + named().name()));
            assertThat(store.advisorySize(A)).isFalse();
        }
    }

    @Test
    void a_volume_whose_file_is_gone_is_not_exported() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, A);
            Files.delete(VolumeDataset.file(pool.resolve("v/pvc-a")));

            assertThat(exporter().attachment(one, TestWork.patient())).isEmpty();
            Failing.with(Failure.VolumeNotFound.class, () -> exporter().export(one, TestWork.patient()));
        }
    }

    @Test
    void a_pool_whose_dataset_zfs_does_not_know_is_of_images_which_is_told() {
        datasets.lose();

        assertThat(process().problems(PoolFixture.unsaid("legacy", pool, Map.of())))
                .singleElement()
                .satisfies(problem -> assertThat(problem.what())
                        .contains("lies on zfs and is of kind image", "knows no dataset tank/pool"));
        try (VolumeStore store = open()) {
            assertThat(make(store, A).medium().path()).endsWith("disk.img");
        }
    }

    @Test
    void in_a_pool_that_has_datasets_nothing_is_made_while_zfs_does_not_know_it() {
        try (VolumeStore store = open()) {
            make(store, A);
        }
        datasets.lose();

        assertThat(process().problems(PoolFixture.unsaid("legacy", pool, Map.of())))
                .singleElement()
                .satisfies(problem -> assertThat(problem.what()).contains("no volume is made or grows in it"));
        try (VolumeStore store = open()) {
            Failing.with(Failure.BackendUnavailable.class, () -> make(store, new NativeId("pvc-b")));
            assertThat(store.find(A, TestWork.patient())).isPresent();
        }
    }

    @Test
    void a_pool_that_lost_its_mark_is_refused() throws Exception {
        try (VolumeStore store = open()) {
            make(store, A);
        }
        Files.delete(pool.resolve(".fairlead/owner"));
        try (VolumeStore store = open()) {
            assertThatThrownBy(() -> make(store, new NativeId("pvc-b"))).hasMessageContaining("write kind: zfs");
        }
    }

    @Test
    void what_others_made_below_a_volume_stays_and_is_tried_again_with_it() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, A);
            String dataset = named().below("tank/pool");
            datasets.snapshot(List.of(dataset + "@daily"));
            datasets.create(dataset + "/backup", "-");

            store.delete(one.id(), OnDependents.REFUSE, TestWork.patient());
            assertThat(datasets.names()).containsExactlyInAnyOrder(dataset, dataset + "/backup");
            assertThat(store.busy()).isTrue();

            datasets.destroy(dataset + "/backup");
            store.delete(make(store, A).id(), OnDependents.REFUSE, TestWork.patient());
        }
        try (VolumeStore store = open()) { // another process
            make(store, A);
            assertThat(datasets.names()).containsExactly(named().below("tank/pool"));
        }
    }

    @Test
    void a_clone_that_outlives_its_source_has_none_of_its_snapshots() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, A);
            datasets.snapshot(List.of(named().below("tank/pool") + "@daily"));
            make(store, TestVolumes.fromVolume("pvc-b", one.id()));
            store.delete(one.id(), OnDependents.REFUSE, TestWork.patient());

            assertThat(datasets.names()).noneMatch(it -> it.endsWith("@daily")).hasSize(1);
        }
    }

    @Test
    void a_limit_that_was_taken_away_comes_back() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, A);
            String dataset = named().below("tank/pool");
            datasets.limit(dataset, 0);
            var _ = store.room(Map.of(), TestWork.patient());

            assertThat(datasets.find(dataset).orElseThrow().limit())
                    .isEqualTo(one.capacity().orElseThrow().bytes());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tank",
                "fairlead-../../tank\n\n",
                "-r\n\n",
                "fairlead-6e12c6c8-ec2e-487b-bb96-b8bae5adb561",
                "fairlead-6e12c6c8-ec2e-487b-bb96-b8bae5adb561@x\n\n",
                "fairlead-6e12c6c8-ec2e-487b-bb96-b8bae5adb561\ntank\nvolume/pvc-a\n",
                "fairlead-6e12c6c8-ec2e-487b-bb96-b8bae5adb561\n\nvolume/../a\n",
                "fairlead-6e12c6c8-ec2e-487b-bb96-b8bae5adb561\n\n"
            })
    void a_file_that_says_anything_else_names_nothing(String text) throws Exception {
        Files.writeString(VolumeDataset.file(folder), text);

        assertThat(VolumeDataset.in(folder)).isEmpty();
    }
}
