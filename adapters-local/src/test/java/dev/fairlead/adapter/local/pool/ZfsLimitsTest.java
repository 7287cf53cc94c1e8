package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.pool.dataset.VolumeDataset;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
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

/** Datasets that refer to more than their sizes, and those for which {@code zfs} takes too long. */
class ZfsLimitsTest {
    private static final long MIB = 1 << 20;
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
        return make(store, TestVolumes.empty(id.value()));
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private long limit(NativeId id) throws IOException {
        return datasets.find(dataset(id)).orElseThrow().limit();
    }

    private VolumeDataset named(NativeId id) throws IOException {
        return VolumeDataset.in(pool.resolve("v/" + id)).orElseThrow();
    }

    private String dataset(NativeId id) throws IOException {
        return named(id).below("tank/pool");
    }

    @Test
    void a_volume_that_holds_more_than_its_size_is_cloned_and_restored_at_its_size() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume one = make(store, A);
            datasets.write(dataset(A), 20 * MIB);
            StoredSnapshot snapshot =
                    store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", one), 100, TestWork.patient());

            StoredVolume clone = make(store, TestVolumes.fromVolume("pvc-b", A));
            StoredVolume restored = make(store, TestVolumes.fromSnapshot("pvc-c", snapshot.id()));
            assertThat(List.of(clone.capacity(), restored.capacity())).containsOnly(one.capacity());
            assertThat(limit(B)).isEqualTo(20 * MIB);
            assertThat(limit(new NativeId("pvc-c"))).isEqualTo(20 * MIB);

            store.expand(B, TestVolumes.atLeast(Capacity.ofBytes(32 * MIB)), TestWork.patient());
            assertThat(limit(B)).isEqualTo(32 * MIB);
        }
    }

    @Test
    void a_limit_that_is_gone_comes_back_though_the_volume_holds_more() throws Exception {
        try (VolumeStore store = open()) {
            make(store, A);
            datasets.limit(dataset(A), 0);
            datasets.write(dataset(A), 20 * MIB);
            var _ = store.room(Map.of(), TestWork.patient());

            assertThat(limit(A)).isEqualTo(20 * MIB);
        }
    }

    @Test
    void one_limit_that_cannot_be_set_again_stops_neither_the_pool_nor_those_of_others() throws Exception {
        try (VolumeStore store = open()) {
            make(store, A);
            make(store, B);
        }
        datasets.limit(dataset(A), 0);
        datasets.limit(dataset(B), 0);
        datasets.slow(List.of(dataset(A)));
        try (VolumeStore store = open()) { // another process
            make(store, new NativeId("pvc-c"));
            assertThat(store.room(Map.of(), TestWork.patient()).available()).isNotEqualTo(Capacity.ZERO);
            store.delete(new NativeId("pvc-c"), OnDependents.REFUSE, TestWork.patient());
            for (int second = 1; second <= 3; second++) {
                var _ = store.room(Map.of(), TestWork.patient());
            }
        }
        assertThat(limit(A)).isZero();
        assertThat(limit(B)).isEqualTo(16 * MIB);
    }

    @Test
    void a_volume_whose_destruction_takes_too_long_delays_no_other() throws Exception {
        List<String> slowest;
        try (VolumeStore store = open()) {
            List<NativeId> all = List.of(A, B, new NativeId("c"), new NativeId("d"), new NativeId("e"));
            for (NativeId id : all) {
                make(store, id);
            }
            String first = dataset(A);
            String last = dataset(new NativeId("e"));
            datasets.slow(datasets.names());
            for (NativeId id : all) {
                store.delete(id, OnDependents.REFUSE, TestWork.patient());
            }
            assertThat(store.busy()).isTrue();
            slowest = List.of(first, last); // whichever end the trash is read from
            datasets.slow(slowest);
        }
        try (VolumeStore store = open()) { // another process
            var _ = store.room(Map.of(), TestWork.patient());
            assertThat(datasets.names()).containsExactlyInAnyOrderElementsOf(slowest);
            assertThat(store.busy()).isTrue();
        }
    }
}
