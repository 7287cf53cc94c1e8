package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.Mounts;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.linux.BtrfsCalls;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The kind of a pool that does not say it. */
class FoundKindTest {
    @TempDir(factory = InMemory.class)
    Path folder;

    private Path pool = Path.of("/nowhere");

    @BeforeEach
    void prepare() throws IOException {
        pool = Files.createDirectory(folder.resolve("pool"));
    }

    @AfterEach
    void unmount() throws Exception {
        Mounts.unmount(pool.resolve("disk"));
        Mounts.unmount(pool);
    }

    private void mountBtrfs() throws Exception {
        Mounts.assumeLoop(folder.resolve("file"), "300M", "mkfs.btrfs -q", pool);
        Files.createDirectory(pool.resolve("v"));
    }

    private VolumeStore open(Map<String, ?> kind) {
        return new PoolFixture("create").openTold(PoolFixture.unsaid("legacy", pool, kind));
    }

    private VolumeStore open() {
        return open(Map.of());
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    @Test
    void a_btrfs_becomes_one_of_subvolumes_and_any_other_file_system_one_of_images() throws Exception {
        try (VolumeStore store = open()) {
            StoredVolume image = make(store, TestVolumes.empty("pvc-a"));
            assertThat(image.medium().path()).endsWith("disk.img");
            assertThat(store.find(image.id(), TestWork.patient())).contains(image);
            assertThat(Files.readString(pool.resolve(".fairlead/owner"))).contains("\"image\"");
        }
        mountBtrfs();
        try (VolumeStore store = open()) { // with what the first one has seen forgotten
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            assertThat(BtrfsCalls.subvolume(Path.of(volume.medium().path()))).isPresent();
            assertThat(Files.readString(pool.resolve(".fairlead/owner"))).contains("\"btrfs\"");
        }
    }

    @Test
    void what_a_pool_is_it_stays_whatever_its_file_system_could_be() throws Exception {
        mountBtrfs();
        try (VolumeStore store = open(Map.of("kind", "image"))) {
            make(store, TestVolumes.empty("pvc-a"));
        }
        try (VolumeStore store = open()) {
            assertThat(make(store, TestVolumes.empty("pvc-b")).medium().path()).endsWith("disk.img");
        }
        try (VolumeStore store = open(Map.of("kind", "btrfs"))) {
            assertThatThrownBy(() -> make(store, TestVolumes.empty("pvc-c")))
                    .hasMessageContaining("write kind: image again");
        }
    }

    @Test
    void a_pool_with_folders_of_another_program_is_one_of_folders() throws Exception {
        Files.createDirectories(pool.resolve("v/old"));
        try (VolumeStore store = open()) {
            assertThat(store.find(new NativeId("old"), TestWork.patient())
                            .orElseThrow()
                            .medium()
                            .path())
                    .endsWith("/old");
            assertThat(store.advisorySize(new NativeId("old"))).isTrue();
            assertThatThrownBy(() -> store.plan(TestVolumes.capable("raw", TestVolumes.BLOCK), new NativeId("raw")))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.Unsupported.class));
        }
    }

    @Test
    void a_btrfs_whose_quotas_are_of_no_use_becomes_one_of_images_which_is_told() throws Exception {
        mountBtrfs();
        Mounts.enableSimpleQuotas(pool);
        assertThat(new PoolFixture("create").problems(PoolFixture.unsaid("legacy", pool, Map.of())))
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.what()).contains("is of kind image, since its quotas are simple ones"));
        try (VolumeStore store = open()) {
            assertThat(make(store, TestVolumes.empty("pvc-a")).medium().path()).endsWith("disk.img");
        }
    }

    /** Its images would be shown to pods as folders with a file in them. */
    @Test
    void a_pool_of_images_that_lost_its_mark_is_refused_until_its_kind_is_written() throws Exception {
        try (VolumeStore store = open(Map.of("kind", "image"))) {
            make(store, TestVolumes.empty("pvc-a"));
        }
        Files.delete(pool.resolve(".fairlead/owner"));
        try (VolumeStore store = open()) { // on another node, or with what was seen forgotten
            assertThatThrownBy(() -> store.find(new NativeId("pvc-a"), TestWork.patient()))
                    .hasMessageContaining("write kind: image");
            assertThatThrownBy(() -> make(store, TestVolumes.empty("pvc-b"))).hasMessageContaining("write kind: image");
        }
        assertThat(pool.resolve(".fairlead/owner")).doesNotExist();
        try (VolumeStore store = open(Map.of("kind", "image"))) {
            assertThat(make(store, TestVolumes.empty("pvc-b")).medium().path()).endsWith("disk.img");
        }
    }

    @Test
    void a_pool_of_subvolumes_that_lost_its_mark_is_refused_until_its_kind_is_written() throws Exception {
        mountBtrfs();
        try (VolumeStore store = open()) {
            make(store, TestVolumes.empty("pvc-a"));
        }
        Files.delete(pool.resolve(".fairlead/owner"));
        try (VolumeStore store = open()) {
            assertThatThrownBy(() -> make(store, TestVolumes.empty("pvc-b"))).hasMessageContaining("write kind: btrfs");
        }
    }

    @Test
    void a_pool_of_folders_goes_on_whatever_it_lost_and_if_it_is_empty() throws Exception {
        mountBtrfs();
        try (VolumeStore store = open(Map.of("kind", "directory"))) {
            StoredVolume old = make(store, TestVolumes.empty("pvc-a"));
            Files.writeString(Path.of(old.medium().path()).resolve("disk.img"), "a pod's own");
            make(store, TestVolumes.empty("pvc-c"));
        }
        Path owner = pool.resolve(".fairlead/owner");
        Files.writeString(owner, Files.readString(owner).replaceAll("\\s*\"kind\"\\s*:\\s*\"directory\"\\s*,", ""));
        try (VolumeStore store = open()) { // a mark from before marks said the kind
            assertThat(store.advisorySize(new NativeId("pvc-a"))).isTrue();
            store.delete(new NativeId("pvc-c"), VolumeStore.OnDependents.REFUSE, TestWork.patient());
            store.delete(new NativeId("pvc-a"), VolumeStore.OnDependents.REFUSE, TestWork.patient());
            StoredVolume next = make(store, TestVolumes.empty("pvc-d"));
            assertThat(BtrfsCalls.subvolume(Path.of(next.medium().path()))).isEmpty();
        }
        Files.delete(owner);
        try (VolumeStore store = open()) {
            assertThat(store.advisorySize(new NativeId("pvc-d"))).isTrue();
        }
    }

    @Test
    void while_its_disk_is_away_a_pool_is_out_of_reach_for_raw_block_volumes_too() throws Exception {
        mountBtrfs();
        Path disk = Files.createDirectory(pool.resolve("disk"));
        Path backing = Files.createDirectory(folder.resolve("backing"));
        Mounts.assumeBound(backing, disk);
        PoolFixture process = new PoolFixture("create");
        try (VolumeStore store = process.openTold(PoolFixture.unsaid("legacy", disk, Map.of()))) {
            make(store, TestVolumes.empty("pvc-a"));
            Mounts.unmount(disk);
            assertThatThrownBy(() -> make(store, TestVolumes.capable("raw", TestVolumes.BLOCK)))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class));
        }
        try (VolumeStore store = process.openTold(PoolFixture.unsaid("legacy", disk, Map.of()))) {
            assertThatThrownBy(() -> make(store, TestVolumes.capable("raw", TestVolumes.BLOCK)))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class));
        }
    }

    /** The kind is asked for once for each volume of a list, and looking for it must not look at all of them. */
    @Test
    @Timeout(20)
    void a_pool_of_many_folders_without_a_mark_is_listed_at_once() throws Exception {
        for (int i = 0; i < 600; i++) {
            Files.createDirectories(pool.resolve("v/old-" + i));
        }
        try (VolumeStore store = open()) {
            assertThat(store.list(PageRequest.all(), TestWork.patient()).items())
                    .hasSize(600);
        }
    }
}
