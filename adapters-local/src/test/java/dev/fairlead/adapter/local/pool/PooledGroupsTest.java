package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.GroupShape;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups of snapshots of a connection with pools of several kinds. */
class PooledGroupsTest {
    @TempDir(factory = InMemory.class)
    Path folder;

    private Optional<PoolFixture> process = Optional.empty();
    private Optional<VolumeStore> opened = Optional.empty();

    @BeforeEach
    void open() {
        PoolFixture its = new PoolFixture("create", new PlayedDatasets(folder));
        process = Optional.of(its);
        opened = Optional.of(its.open(
                PoolFixture.pool("fast", folder.resolve("fast"), "zfs"),
                PoolFixture.pool("slow", folder.resolve("slow"), "zfs"),
                PoolFixture.pool("plain", folder.resolve("plain"), "directory")));
        for (String pool : List.of("fast", "slow", "plain")) {
            make(pool, "pvc-a");
            make(pool, "pvc-b");
        }
    }

    @AfterEach
    void close() {
        opened.ifPresent(VolumeStore::close);
    }

    private VolumeStore store() {
        return opened.orElseThrow();
    }

    private SnapshotStore snapshots() {
        return store().snapshots().orElseThrow();
    }

    private SnapshotGroups groups() {
        return snapshots().groups().orElseThrow();
    }

    private void make(String pool, String name) {
        CreateRequest plain = TestVolumes.with(name, Content.EMPTY);
        CreateRequest request = new CreateRequest(
                plain.name(), plain.capacity(), plain.capabilities(), Map.of("storagePool", pool), Content.EMPTY);
        store().create(store().plan(request, new NativeId(name)), TestWork.patient());
    }

    private static GroupRequest request(String name, String... volumes) {
        return request(name, Map.of(), volumes);
    }

    private static GroupRequest request(String name, Map<String, String> parameters, String... volumes) {
        return new GroupRequest(
                new CsiName(name), Stream.of(volumes).map(NativeId::new).toList(), parameters);
    }

    private StoredGroup take(GroupRequest request) {
        return groups().take(request, 100, TestWork.patient());
    }

    private List<StoredSnapshot> listed() {
        return snapshots()
                .list(Optional.empty(), PageRequest.all(), TestWork.patient())
                .items();
    }

    private void refused(GroupRequest request, String... words) {
        assertThatThrownBy(() -> take(request)).isInstanceOfSatisfying(StorageException.class, e -> {
            assertThat(e.failure()).isInstanceOf(Failure.Unsupported.class);
            assertThat(e.failure().message()).contains(words);
        });
        assertThat(listed()).isEmpty();
    }

    @Test
    void a_group_is_known_by_the_ids_of_its_pool() {
        GroupRequest request = request("group-1", "fast/pvc-b", "fast/pvc-a");

        StoredGroup taken = take(request);

        assertThat(taken.id()).isEqualTo(new NativeId("fast/group-1"));
        assertThat(taken.isWhole()).isTrue();
        assertThat(taken.shape()).isEqualTo(GroupShape.of(request));
        assertThat(taken.snapshots())
                .extracting(snapshot -> snapshot.id().value())
                .containsExactly("fast/pvc-a-group-1", "fast/pvc-b-group-1");
        assertThat(taken.snapshots())
                .extracting(snapshot -> snapshot.source().value())
                .containsExactly("fast/pvc-a", "fast/pvc-b");
        assertThat(groups().find(taken.id(), TestWork.patient())).contains(taken);
        assertThat(listed()).containsExactlyElementsOf(taken.snapshots());
        for (StoredSnapshot member : taken.snapshots()) {
            assertThatThrownBy(() -> snapshots().delete(member.id(), TestWork.patient()))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.GroupMember.class));
        }
        groups().delete(taken.id(), TestWork.patient());
        assertThat(groups().find(taken.id(), TestWork.patient())).isEmpty();
        assertThat(listed()).isEmpty();
    }

    @Test
    void a_name_is_one_group_in_whichever_pool() {
        StoredGroup first = take(request("group-1", "slow/pvc-a"));

        assertThat(take(request("group-1", "fast/pvc-a"))).isEqualTo(first);
        assertThat(listed()).containsExactlyElementsOf(first.snapshots());
    }

    @Test
    void volumes_without_a_common_instant_are_refused_with_their_pools() {
        refused(request("group-1", "fast/pvc-a", "slow/pvc-a"), "[fast, slow]", "one pool");
        refused(request("group-1", "plain/pvc-a", "plain/pvc-b"), "plain", "zfs");
        refused(request("group-1", Map.of("storagePool", "slow"), "fast/pvc-a"), "fast", "storagePool");
        assertThat(take(request("group-1", Map.of("storagePool", "fast"), "fast/pvc-a"))
                        .isWhole())
                .isTrue();
    }

    @Test
    void a_pool_that_is_silent_holds_up_no_other_one() {
        StoredGroup taken = take(request("group-1", "fast/pvc-a", "fast/pvc-b"));
        process.orElseThrow().hang(folder.resolve("slow"));
        process.orElseThrow().hang(folder.resolve("plain"));

        assertThat(groups().find(taken.id(), TestWork.patient())).contains(taken);
        assertThat(take(request("group-1", "fast/pvc-a", "fast/pvc-b"))).isEqualTo(taken);
        assertThat(take(request("group-2", "fast/pvc-b")).isWhole()).isTrue();
        groups().delete(taken.id(), TestWork.patient());
        assertThat(groups().find(taken.id(), TestWork.patient())).isEmpty();
        unavailable(() -> groups().find(new NativeId("slow/group-1"), TestWork.patient()));
        unavailable(() -> groups().findByName(new CsiName("group-1"), 100, TestWork.patient()));
    }

    private static void unavailable(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class));
    }
}
