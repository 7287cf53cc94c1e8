package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.linux.ProjectQuotas.QuotaState;
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

/** What becomes of a pool by the project quotas of its file system, which are played, and which numbers it gives. */
class FoundProjectsTest {
    private static final long FIRST = 1_000_000_000;

    @TempDir(factory = InMemory.class)
    Path folder;

    private PlayedProjects disk = new PlayedProjects(Path.of("/nowhere"));
    private Path pool = Path.of("/nowhere");

    @BeforeEach
    void prepare() throws IOException {
        disk = new PlayedProjects(folder);
        pool = Files.createDirectory(folder.resolve("pool"));
    }

    private PoolFixture process() {
        return new PoolFixture("create", disk);
    }

    private VolumeStore open(Map<String, ?> kind) {
        return process().openTold(PoolFixture.unsaid("legacy", pool, kind));
    }

    private static StoredVolume make(VolumeStore store, String name) {
        return store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                .volume();
    }

    private long number(String volume) throws IOException {
        return disk.of(pool.resolve("v").resolve(volume)).number();
    }

    private String told(Map<String, ?> kind) {
        return process()
                .problems(PoolFixture.unsaid("legacy", pool, kind))
                .getFirst()
                .toString();
    }

    @Test
    void a_pool_is_of_projects_where_their_limits_hold() throws Exception {
        assertThat(process().problems(PoolFixture.unsaid("legacy", pool, Map.of())))
                .isEmpty();
        try (VolumeStore store = open(Map.of())) {
            make(store, "pvc-a");
            assertThat(number("pvc-a")).isEqualTo(FIRST);
            assertThat(store.advisorySize(new NativeId("pvc-a"))).isFalse();
        }
    }

    @Test
    void a_pool_is_of_images_where_they_do_not_hold_which_is_told_with_what_to_do() throws Exception {
        disk.become(QuotaState.OFF);
        assertThat(told(Map.of()))
                .contains("lies on xfs and is of kind image, since its project quotas are off, or this kernel has none")
                .contains("mount it with prjquota")
                .contains("write kind: image");
        disk.become(QuotaState.COUNTED);
        assertThat(told(Map.of())).contains("counted and not enforced");
        try (VolumeStore store = open(Map.of())) {
            assertThat(make(store, "pvc-a").medium().path()).endsWith("disk.img");
        }
        assertThat(process().problems(PoolFixture.unsaid("legacy", pool, Map.of())))
                .isEmpty(); // it stays one
    }

    @Test
    void a_pool_that_is_to_be_of_projects_takes_nothing_where_they_do_not_hold() throws Exception {
        disk.become(QuotaState.OFF);
        assertThat(told(Map.of("kind", "xfs"))).contains("no volume is made or grows in it, since its project quotas");
        assertThat(told(Map.of("kind", "ext4"))).contains("it lies on no ext4");
        try (VolumeStore store = open(Map.of("kind", "xfs"))) {
            assertThatThrownBy(() -> make(store, "pvc-a"))
                    .hasMessageContaining("prjquota")
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class));
        }
        assertThat(pool.resolve("v/pvc-a")).doesNotExist();
    }

    @Test
    void an_empty_pool_of_projects_promises_nothing_while_their_limits_do_not_hold() {
        try (VolumeStore store = open(Map.of("kind", "xfs"))) {
            assertThat(store.isNodesOwn()).isTrue();
            assertThat(store.room(Map.of(), TestWork.patient()).available()).isNotEqualTo(Capacity.ZERO);
        }
        for (QuotaState lacking : List.of(QuotaState.OFF, QuotaState.COUNTED)) {
            disk.become(lacking);
            try (VolumeStore store = open(Map.of("kind", "xfs"))) {
                assertThatThrownBy(() -> store.room(Map.of(), TestWork.patient()))
                        .hasMessageContaining("prjquota")
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class));
            }
        }
    }

    /** Its files came back by rsync, and the disk knows nothing of its number. */
    @Test
    void a_number_that_only_a_record_says_is_not_given_again() throws Exception {
        try (VolumeStore store = open(Map.of())) {
            make(store, "pvc-a");
        }
        disk.assign(pool.resolve("v/pvc-a"), 0);
        try (VolumeStore store = open(Map.of())) {
            make(store, "pvc-b");
        }
        assertThat(number("pvc-b")).isEqualTo(FIRST + 1);
    }

    @Test
    void a_number_of_a_deleted_volume_is_given_again_without_its_limit() throws Exception {
        try (VolumeStore store = open(Map.of())) {
            make(store, "pvc-a");
            disk.limit(pool, FIRST, 1L << 40, 1 << 20);
            store.delete(new NativeId("pvc-a"), OnDependents.REFUSE, TestWork.patient());
        }
        try (VolumeStore store = open(Map.of())) {
            make(store, "pvc-b");
        }
        assertThat(number("pvc-b")).isEqualTo(FIRST);
        assertThat(disk.use(pool, FIRST).limit()).isEqualTo(16 << 20);
        assertThat(disk.use(pool, FIRST).inodeLimit()).isEqualTo(1024);
    }

    @Test
    void of_two_processes_that_choose_the_same_number_at_the_same_moment_none_keeps_it() throws Exception {
        Path other = Files.createDirectories(pool.resolve("s/other"));
        disk.meanwhile(() -> disk.assign(other, FIRST));
        try (VolumeStore store = open(Map.of("kind", "xfs"))) {
            make(store, "pvc-a");
        }
        assertThat(number("pvc-a")).isEqualTo(FIRST + 1);
    }
}
