package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
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

/** Pools that are listed otherwise than they were made, or twice. */
class ListedPoolsTest {
    @TempDir(factory = InMemory.class)
    Path folder;

    @BeforeEach
    void prepare() throws IOException {
        for (String pool : List.of("one", "two")) {
            Files.createDirectories(folder.resolve(pool).resolve("v"));
        }
    }

    private VolumeStore open(String name, String kind) {
        return new PoolFixture("prepared").open(PoolFixture.pool(name, folder.resolve("one"), kind));
    }

    private static StoredVolume make(VolumeStore store, String pool, String name) {
        CreateRequest plain = TestVolumes.empty(name);
        CreateRequest request = new CreateRequest(
                plain.name(), plain.capacity(), plain.capabilities(), Map.of("storagePool", pool), plain.content());
        return store.create(store.plan(request, new NativeId(name)), TestWork.patient())
                .volume();
    }

    private static String failure(Class<? extends Failure> expected, Runnable call) {
        try {
            call.run();
        } catch (StorageException e) {
            assertThat(e.failure()).isInstanceOf(expected);
            return e.failure().message();
        }
        throw new AssertionError("nothing failed");
    }

    @Test
    void a_pool_of_another_kind_than_it_was_is_refused() {
        try (VolumeStore store = open("legacy", "directory")) {
            make(store, "legacy", "pvc-a");
        }
        try (VolumeStore store = open("legacy", "image")) {
            assertThat(failure(Failure.BackendRejected.class, () -> store.list(PageRequest.all(), TestWork.patient())))
                    .contains("kind: directory", "kind: image");
            failure(
                    Failure.BackendRejected.class,
                    () -> store.delete(new NativeId("pvc-a"), VolumeStore.OnDependents.REFUSE, TestWork.patient()));
            assertThat(folder.resolve("one/v/pvc-a")).isEmptyDirectory();
            assertThat(store.isMarkedAsOwn()).isFalse();
        }
    }

    @Test
    void a_folder_is_one_pool_only() {
        try (VolumeStore store = open("legacy", "image")) {
            make(store, "legacy", "pvc-a");
        }
        try (VolumeStore store = open("fast", "image")) {
            assertThat(failure(Failure.BackendRejected.class, () -> make(store, "fast", "pvc-b")))
                    .contains("pool: legacy", "pool: fast");
        }
    }

    @Test
    void a_mark_that_says_no_kind_counts_as_listed_and_then_says_it() throws IOException {
        Path mark = folder.resolve("one/.fairlead/owner");
        try (VolumeStore store = open("legacy", "directory")) {
            make(store, "legacy", "pvc-a");
        }
        Files.writeString(
                mark,
                Files.readString(mark)
                        .replaceAll(",?\"(kind|pool)\":\\s*\"[a-z]+\"", "")
                        .replace("{,", "{"));
        assertThat(Files.readString(mark)).doesNotContain("kind").contains("test");
        try (VolumeStore store = open("legacy", "image")) {
            failure(
                    Failure.NotOurs.class,
                    () -> store.expand(
                            new NativeId("pvc-a"),
                            TestVolumes.atLeast(Capacity.ofBytes(64 << 20)),
                            TestWork.patient()));
            assertThat(folder.resolve("one/v/pvc-a")).isEmptyDirectory();
        }
        try (VolumeStore store = open("legacy", "directory")) {
            make(store, "legacy", "pvc-b");
        }
        assertThat(Files.readString(mark)).contains("kind", "directory");
    }

    @Test
    void two_pools_on_one_file_system_do_not_promise_the_same_bytes() {
        PoolFixture fixture = new PoolFixture("prepared", new PoolFixture.NoDevices(), new SystemDisk(List.of()));
        try (VolumeStore store = fixture.open(
                PoolFixture.pool("one", folder.resolve("one"), "image"),
                PoolFixture.pool("two", folder.resolve("two"), "image"))) {
            make(store, "one", "pvc-a");

            assertThat(failure(Failure.BackendUnavailable.class, () -> make(store, "two", "pvc-b")))
                    .contains("pool 'one'", "pool 'two'");
            assertThat(store.room(Map.of("storagePool", "two"), TestWork.patient())
                            .available())
                    .isEqualTo(Capacity.ZERO);
            make(store, "one", "pvc-c");
        }
    }

    @Test
    void nor_do_pools_of_two_connections() throws Exception {
        PoolFixture fixture = new PoolFixture("prepared", new PoolFixture.NoDevices(), new SystemDisk(List.of()));
        Files.createDirectories(folder.resolve("two/v"));
        try (VolumeStore one = fixture.open(PoolFixture.pool("legacy", folder.resolve("one"), "image"));
                VolumeStore two =
                        fixture.openOther("other", PoolFixture.pool("legacy", folder.resolve("two"), "image"))) {
            make(one, "legacy", "pvc-a");

            assertThat(failure(Failure.BackendUnavailable.class, () -> make(two, "legacy", "pvc-b")))
                    .contains("pool 'legacy' at " + folder.resolve("one"));
            assertThat(two.room(Map.of(), TestWork.patient()).available()).isEqualTo(Capacity.ZERO);
            make(one, "legacy", "pvc-c");
        }
    }

    @Test
    void a_folder_that_is_missing_lies_where_it_would_be_made() {
        SystemDisk system = new SystemDisk(List.of(folder));

        assertThat(system.holds(folder.resolve("none/at/all"))).isTrue();
        assertThat(system.holds(Path.of("/proc/none"))).isFalse();
    }
}
