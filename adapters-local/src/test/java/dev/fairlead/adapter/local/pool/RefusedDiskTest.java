package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pool that must not be on the operating system's disk does while a disk does not tell whether it is. */
class RefusedDiskTest {
    private static final NativeId ID = new NativeId("pvc-1");
    private static final NativeId OTHER = new NativeId("pvc-2");
    private static final Capacity MORE = Capacity.ofBytes(8 << 20);

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private final Set<Path> broken = ConcurrentHashMap.newKeySet();
    private final Set<Path> hung = ConcurrentHashMap.newKeySet();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<VolumeStore> opened = new ArrayList<>();
    private Path base = folder;
    private Path root = folder;

    @BeforeEach
    void prepare() throws IOException {
        base = Files.createDirectory(folder.resolve("pool"));
        root = Files.createDirectory(folder.resolve("root"));
    }

    @AfterEach
    void close() {
        over.countDown();
        opened.forEach(VolumeStore::close);
    }

    private VolumeStore open(String systemDisk) {
        DiskQuestion question = new DiskQuestion(Thread.ofPlatform().daemon().factory(), Duration.ofSeconds(2));
        SystemDisk system = SystemDisk.asking(List.of(root), question, this::device);
        VolumeStore store = new PoolFixture("create", new PoolFixture.NoDevices(), system)
                .open(PoolFixture.pool("legacy", base, "directory", Map.of("systemDisk", systemDisk)));
        opened.add(store);
        make(store, ID);
        return store;
    }

    private Object device(Path asked) throws Exception {
        if (hung.contains(asked)) {
            over.await();
        }
        if (broken.contains(asked)) {
            throw new FileSystemException(asked.toString(), null, "Input/output error");
        }
        return asked;
    }

    private static void make(VolumeStore store, NativeId id) {
        store.create(store.plan(TestVolumes.sized(id.value(), Capacity.ofBytes(4 << 20)), id), TestWork.patient());
    }

    private static Capacity room(VolumeStore store) {
        return store.room(Map.of(), TestWork.patient()).available();
    }

    private void refused(VolumeStore store, Path silent) {
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> make(store, OTHER),
                () -> store.expand(ID, TestVolumes.atLeast(MORE), TestWork.patient()),
                () -> room(store))) {
            assertThatThrownBy(call)
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class))
                    .hasMessageContainingAll(
                            "pool 'legacy' at " + base, "cannot be told", silent.toString(), "findmnt -T " + base);
        }
        assertThat(base.resolve("v/pvc-2")).doesNotExist();
    }

    @Test
    void nothing_is_made_grown_or_promised_while_its_own_disk_gives_an_error_or_no_answer() {
        VolumeStore store = open("refuse");
        broken.add(base);
        refused(store, base);

        broken.clear();
        assertThat(room(store)).isGreaterThan(Capacity.ZERO);
        make(store, OTHER);
        store.delete(OTHER, OnDependents.REFUSE, TestWork.patient());

        hung.add(base);
        refused(store, base);
    }

    @Test
    void nothing_is_made_grown_or_promised_while_the_disk_of_the_operating_system_does_not_tell() {
        VolumeStore store = open("refuse");
        broken.add(root);
        refused(store, root);
    }

    @Test
    void what_is_there_is_found_again_and_deleted_all_the_same() {
        VolumeStore store = open("refuse");
        broken.add(root);

        make(store, ID);
        assertThat(store.find(ID, TestWork.patient())).isPresent();
        store.expand(ID, TestVolumes.atLeast(Capacity.ofBytes(4 << 20)), TestWork.patient());
        store.delete(ID, OnDependents.REFUSE, TestWork.patient());
        assertThat(base.resolve("v/pvc-1")).doesNotExist();
    }

    @Test
    void a_pool_that_only_warns_goes_on() {
        VolumeStore store = open("warn");
        broken.add(root);
        broken.add(base);

        make(store, OTHER);
        store.expand(ID, TestVolumes.atLeast(MORE), TestWork.patient());
        assertThat(room(store)).isGreaterThan(Capacity.ZERO);
    }
}
