package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several pools of one connection: each id tells its pool, and one pool that is away stops no other. */
class NamedPoolsTest {
    @TempDir(factory = InMemory.class)
    Path folder;

    private Optional<VolumeStore> opened = Optional.empty();

    @BeforeEach
    void open() throws IOException {
        for (String pool : List.of("legacy", "fast", "plain")) {
            Files.createDirectories(folder.resolve(pool).resolve("v"));
        }
        opened = Optional.of(new PoolFixture("prepared")
                .open(
                        PoolFixture.pool("legacy", folder.resolve("legacy"), "directory"),
                        PoolFixture.pool("fast", folder.resolve("fast"), "image"),
                        PoolFixture.pool("plain", folder.resolve("plain"), "directory")));
    }

    @AfterEach
    void close() {
        opened.ifPresent(VolumeStore::close);
    }

    private VolumeStore store() {
        return opened.orElseThrow();
    }

    private static CreateRequest in(String pool, String name, Content content) {
        CreateRequest plain = TestVolumes.with(name, content);
        return new CreateRequest(
                plain.name(), plain.capacity(), plain.capabilities(), Map.of("storagePool", pool), content);
    }

    private StoredVolume make(CreateRequest request) {
        return store().create(store().plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private StoredSnapshot take(StoredVolume volume, Map<String, String> parameters) {
        return store().snapshots()
                .orElseThrow()
                .take(new SnapshotRequest(new CsiName("snap-1"), volume.id(), parameters), 100, TestWork.patient());
    }

    private static Failure failure(Runnable call) {
        try {
            call.run();
        } catch (StorageException e) {
            return e.failure();
        }
        throw new AssertionError("nothing failed");
    }

    @Test
    void a_volume_is_made_in_the_pool_that_its_class_names_and_is_found_there() {
        StoredVolume fast = make(in("fast", "pvc-1", Content.EMPTY));
        StoredVolume legacy = make(TestVolumes.empty("pvc-1"));

        assertThat(fast.id()).isEqualTo(new NativeId("fast/pvc-1"));
        assertThat(legacy.id()).isEqualTo(new NativeId("pvc-1"));
        assertThat(folder.resolve("fast/v/pvc-1/disk.img")).isRegularFile();
        assertThat(folder.resolve("legacy/v/pvc-1")).isDirectory();
        assertThat(store().find(fast.id(), TestWork.patient())).contains(fast);
        assertThat(store().find(legacy.id(), TestWork.patient())).contains(legacy);
        assertThat(store().advisorySize(fast.id())).isFalse();
        assertThat(store().advisorySize(legacy.id())).isTrue();
        store().delete(fast.id(), OnDependents.REFUSE, TestWork.patient());
        assertThat(store().find(fast.id(), TestWork.patient())).isEmpty();
        assertThat(store().find(legacy.id(), TestWork.patient())).contains(legacy);
    }

    @Test
    void a_pool_that_the_connection_has_not_is_refused_by_its_key() {
        assertThat(failure(() -> make(in("slow", "pvc-1", Content.EMPTY))))
                .isInstanceOfSatisfying(Failure.InvalidRequest.class, it -> {
                    assertThat(it.field()).isEqualTo("parameters.storagePool");
                    assertThat(it.message()).contains("legacy, fast, plain");
                });
        assertThat(failure(() -> store().room(Map.of("storagePool", "../up"), TestWork.patient())))
                .isInstanceOf(Failure.InvalidRequest.class);
    }

    @Test
    void ids_that_lead_out_of_a_pool_are_no_volumes() {
        for (String id : List.of("fast/v/pvc-1", "fast/", "/pvc-1", "fast//pvc-1", "legacy/pvc-1", "slow/a/b")) {
            assertThat(store().find(new NativeId(id), TestWork.patient()))
                    .as(id)
                    .isEmpty();
            store().delete(new NativeId(id), OnDependents.REFUSE, TestWork.patient());
        }
    }

    @Test
    void nothing_of_a_pool_that_is_not_listed_counts_as_deleted() {
        for (String text : List.of("slow/pvc-1", "slow/pvc-1-snap.1", "Fast/pvc-1")) {
            NativeId id = new NativeId(text);
            assertThat(store().find(id, TestWork.patient())).as(text).isEmpty();
            unlisted(() -> store().delete(id, OnDependents.REFUSE, TestWork.patient()), "pool");
            unlisted(() -> store().deletionCheck(id, OnDependents.REFUSE, TestWork.patient()), "pool");
            unlisted(() -> store().snapshots().orElseThrow().delete(id, TestWork.patient()), "pool");
        }
        try (VolumeStore other =
                new PoolFixture("prepared").open(PoolFixture.pool("fast", folder.resolve("fast"), "image"))) {
            NativeId bare = new NativeId("pvc-1");
            unlisted(() -> other.delete(bare, OnDependents.REFUSE, TestWork.patient()), "legacy");
        }
    }

    private static void unlisted(Runnable call, String pool) {
        assertThat(failure(call))
                .isInstanceOfSatisfying(
                        Failure.BackendUnavailable.class,
                        it -> assertThat(it.message()).contains("connection test", pool, "list that pool again"));
    }

    @Test
    void lists_hold_all_pools_in_the_order_of_ids_whatever_the_page() {
        List<NativeId> all = new ArrayList<>();
        for (String name : List.of("pvc-1", "a", "z", "fast")) {
            all.add(make(in("fast", name, Content.EMPTY)).id());
            all.add(make(in("plain", name, Content.EMPTY)).id());
            all.add(make(TestVolumes.empty(name)).id());
        }
        all.sort(null);

        for (int size = 1; size <= 13; size++) {
            List<NativeId> listed = new ArrayList<>();
            Optional<String> after = Optional.empty();
            boolean more = true;
            while (more) {
                var page = store().list(new PageRequest(after, size), TestWork.patient());
                page.items().forEach(volume -> listed.add(volume.id()));
                more = page.more();
                after = listed.isEmpty() ? after : Optional.of(listed.getLast().value());
            }
            assertThat(listed).as("pages of %s", size).containsExactlyElementsOf(all);
        }
    }

    @Test
    void a_snapshot_is_in_the_pool_of_its_volume_and_is_restored_there() {
        StoredVolume volume = make(in("fast", "pvc-1", Content.EMPTY));
        PoolContent.write(volume, "data", "precious");
        StoredSnapshot snapshot = take(volume, Map.of());

        StoredVolume restored = make(in("fast", "pvc-2", new Content.OfSnapshot(snapshot.id())));

        assertThat(snapshot.source()).isEqualTo(volume.id());
        assertThat(snapshot.id().value()).startsWith("fast/pvc-1-");
        assertThat(restored.content()).isEqualTo(new Content.OfSnapshot(snapshot.id()));
        assertThat(PoolContent.read(restored, "data")).contains("precious");
        SnapshotStore role = store().snapshots().orElseThrow();
        assertThat(role.list(Optional.of(volume.id()), PageRequest.all(), TestWork.patient())
                        .items())
                .containsExactly(snapshot);
        assertThat(role.findByName(new CsiName("snap-1"), TestWork.patient())).contains(snapshot);
    }

    @Test
    void content_does_not_go_from_pool_to_pool() {
        StoredVolume volume = make(in("fast", "pvc-1", Content.EMPTY));

        assertThat(failure(() -> make(TestVolumes.fromVolume("pvc-2", volume.id()))))
                .isInstanceOf(Failure.Unsupported.class);
        assertThat(failure(() -> take(volume, Map.of("storagePool", "plain")))).isInstanceOf(Failure.Unsupported.class);
    }

    @Test
    void a_pool_that_is_away_is_out_of_reach_and_the_others_serve() throws IOException {
        StoredVolume away = make(in("plain", "pvc-1", Content.EMPTY));
        Files.move(folder.resolve("plain"), folder.resolve("gone"));
        Files.createDirectory(folder.resolve("plain"));

        assertThat(make(in("fast", "pvc-1", Content.EMPTY)).id()).isEqualTo(new NativeId("fast/pvc-1"));
        assertThatThrownBy(() -> store().find(away.id(), TestWork.patient())).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> store().delete(away.id(), OnDependents.REFUSE, TestWork.patient()))
                .isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> make(in("plain", "pvc-2", Content.EMPTY))).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> store().list(PageRequest.all(), TestWork.patient()))
                .isInstanceOf(StorageException.class);
    }
}
