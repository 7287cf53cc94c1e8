package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.port.out.store.PoolIdentities.PoolIdentity;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.volume.VolumePlacementContract;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool that is where its disk is, whatever the node is called. */
class PlacedPoolTest implements VolumePlacementContract {
    private static final String KEY = "org.democratic-csi.topology/pool.legacy";

    @TempDir(factory = InMemory.class)
    Path folder;

    private Optional<String> disk = Optional.of("disk-a");
    private final PoolFixture process = new PoolFixture(_ -> disk);

    private Path pool() {
        return folder.resolve("pool");
    }

    @Override
    public VolumeStore store() {
        return process.open(PoolFixture.pool("legacy", pool(), "directory", Map.of("topology", "disk")));
    }

    @Override
    public void write(StoredVolume volume, String file, String content) {
        PoolContent.write(volume, file, content);
    }

    @Override
    public Optional<String> read(StoredVolume volume, String file) {
        return PoolContent.read(volume, file);
    }

    @Override
    public void verifyEmpty() {
        PoolFixture.verifyEmpty(pool());
    }

    /** The same disk, seen from two nodes. */
    @Override
    public List<TopologySegment> places() {
        String node = "org.democratic-csi.topology/node";
        return List.of(
                TopologySegment.of(Map.of(KEY, "disk-a", node, "n1")),
                TopologySegment.of(Map.of(KEY, "disk-a", node, "n2")));
    }

    @Override
    public TopologySegment nowhere() {
        return TopologySegment.of(Map.of(KEY, "disk-b"));
    }

    private static Placement on(String disk) {
        return new Placement.Within(
                List.of(new Placement.Place(TopologySegment.of(Map.of(KEY, disk)), TopologySegment.EVERYWHERE)));
    }

    @Test
    void a_volume_says_the_disk_alone_and_not_the_node() {
        try (VolumeStore store = store()) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));

            assertThat(volume.ownPlacement()).contains(on("disk-a"));
            assertThat(process.identities().now())
                    .extracting(PoolIdentity::pool, PoolIdentity::key, PoolIdentity::value)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple("legacy", KEY, Optional.of("disk-a")));
        }
    }

    @Test
    void nothing_is_made_where_the_node_is_known_by_another_disk() {
        try (VolumeStore store = store()) {
            process.identities().registered(Map.of(KEY, "disk-before"));

            assertThatThrownBy(() -> make(store, TestVolumes.empty("pvc-a")))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.DiskElsewhere.class))
                    .hasMessageContaining("disk-a")
                    .hasMessageContaining(KEY + "=disk-before");
            assertThat(store.room(Map.of(), TestWork.patient()).available()).isEqualTo(Capacity.ZERO);
            assertThat(pool().resolve("v/pvc-a")).doesNotExist();

            process.identities().registered(Map.of(KEY, "disk-a"));
            assertThat(store.room(Map.of(), TestWork.patient()).available()).isNotEqualTo(Capacity.ZERO);
            assertThat(make(store, TestVolumes.empty("pvc-a")).ownPlacement()).contains(on("disk-a"));
        }
    }

    @Test
    void nothing_grows_and_no_snapshot_is_taken_where_the_node_is_known_by_another_disk() {
        try (VolumeStore store = store()) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            process.identities().registered(Map.of(KEY, "disk-before"));
            CapacityRange larger = TestVolumes.atLeast(Capacity.ofGibibytes(1));

            Failing.with(Failure.DiskElsewhere.class, () -> store.expand(volume.id(), larger, TestWork.patient()));
            Failing.with(Failure.DiskElsewhere.class, () -> take(store, volume));
            assertThat(pool().resolve("s")).isEmptyDirectory();

            process.identities().registered(Map.of(KEY, "disk-a"));
            assertThat(store.expand(volume.id(), larger, TestWork.patient()).capacity())
                    .contains(Capacity.ofGibibytes(1));
            take(store, volume);
            store.delete(volume.id(), VolumeStore.OnDependents.REFUSE, TestWork.patient());
        }
    }

    private static StoredSnapshot take(VolumeStore store, StoredVolume volume) {
        return store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-a", volume), 100, TestWork.patient());
    }

    @Test
    void what_exists_on_a_disk_that_tells_nothing_is_at_an_unknown_place_and_nothing_is_made() {
        try (VolumeStore store = store()) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            disk = Optional.empty();

            assertThat(store.find(volume.id(), TestWork.patient()).orElseThrow().ownPlacement())
                    .contains(Placement.UNKNOWN);
            assertThatThrownBy(() -> make(store, TestVolumes.empty("pvc-b")))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class))
                    .hasMessageContaining("tells no identity");
        } finally {
            disk = Optional.of("disk-a");
        }
    }

    @Test
    void an_identity_that_can_be_no_label_counts_as_none() {
        try (VolumeStore store = store()) {
            disk = Optional.of("a/b");
            assertThatThrownBy(() -> make(store, TestVolumes.empty("pvc-a"))).hasMessageContaining("tells no identity");
        } finally {
            disk = Optional.of("disk-a");
        }
    }

    @Test
    void a_pool_has_one_place_only() throws Exception {
        Files.createDirectories(pool());
        assertThat(process.problems(PoolFixture.unsaid("legacy", pool(), Map.of("topology", "disk", "shared", "true"))))
                .extracting(Problem::toString)
                .anySatisfy(text -> assertThat(text).contains("topology", "keep one of the two"));
        assertThat(process.problems(PoolFixture.pool("legacy", pool(), "directory", Map.of("topology", "rack"))))
                .extracting(Problem::toString)
                .anySatisfy(text -> assertThat(text).contains("node or disk"));
    }
}
