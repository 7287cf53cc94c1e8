package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.base.Alarm;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused so that a pool that nodes share is one pool. */
class SharedPoolRefusalTest {
    private static final NativeId ID = new NativeId("pvc-1");

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private Path base = folder;

    @BeforeEach
    void prepare() throws IOException {
        base = Files.createDirectory(folder.resolve("pool"));
    }

    private VolumeStore on(String node) {
        return on(node, base);
    }

    private static VolumeStore on(String node, Path path) {
        return process(node).open(shared(path, Map.of()));
    }

    private static PoolFixture process(String node) {
        return PoolFixture.on(node, SteppingClock.standing(), (_, _) -> Alarm.Call.NONE);
    }

    private static Mapping shared(Path path, Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(more);
        all.putIfAbsent("shared", "true");
        return PoolFixture.unsaid("legacy", path, all);
    }

    private static void make(VolumeStore store, NativeId id, Work work) {
        store.create(store.plan(TestVolumes.empty(id.value()), id), work);
    }

    private static void refused(Runnable call, String why) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class))
                .hasMessageContaining(why);
    }

    /** Without that option a node takes for absent what another one has made up to a minute ago. */
    @Test
    void nothing_is_made_or_deleted_by_nfs_that_remembers_which_names_are_absent() throws Exception {
        try (VolumeStore store = mounted("nfs4 server:/pool rw,vers=4.2,lookupcache=pos,hard")) {
            make(store, ID, TestWork.patient());
        }
        try (VolumeStore store = mounted("nfs4 server:/pool rw,vers=4.2,hard")) {
            assertThat(store.find(ID, TestWork.patient())).isPresent();
            refused(() -> make(store, new NativeId("pvc-2"), TestWork.patient()), "lookupcache=positive");
            refused(() -> store.delete(ID, OnDependents.REFUSE, TestWork.patient()), "lookupcache=positive");
            refused(
                    () -> store.delete(new NativeId("pvc-2"), OnDependents.REFUSE, TestWork.patient()),
                    "lookupcache=positive");
        }
        assertThat(base.resolve("v/pvc-1")).isDirectory();
        try (VolumeStore store = mounted("nfs server:/pool rw,vers=3,lookupcache=none")) {
            store.delete(ID, OnDependents.REFUSE, TestWork.patient());
        }
        try (VolumeStore store = mounted("tmpfs none rw")) {
            make(store, ID, TestWork.patient());
        }
        assertThat(base.resolve("v/pvc-1")).isDirectory();
    }

    /** @param how type, source and options of the file system that the pool is on */
    private VolumeStore mounted(String how) throws IOException, InterruptedException {
        Process stat = new ProcessBuilder("stat", "-c", "%Hd:%Ld", base.toString()).start();
        String device = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        assertThat(stat.waitFor()).isZero();
        Path mounts = Files.writeString(folder.resolve("mounts"), """
                20 1 254:77 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw
                21 20 %s / /srv/pool rw,relatime - %s
                22 20 0:7777 / /srv/other rw - nfs4 server:/other rw
                """.formatted(device, how));
        return PoolFixture.mounted("a", mounts).open(shared(base, Map.of()));
    }

    @Test
    void a_node_without_the_mount_makes_nothing_and_deletes_nothing() throws IOException {
        Path away = folder.resolve("away");
        try (VolumeStore a = on("a", away)) {
            refused(() -> make(a, ID, TestWork.patient()), "does not exist");
            refused(() -> a.delete(ID, OnDependents.REFUSE, TestWork.patient()), "does not exist");
            assertThat(away).doesNotExist();

            Files.createDirectory(away); // the bare mount point
            refused(() -> a.delete(ID, OnDependents.REFUSE, TestWork.patient()), "cannot be told");
        }
    }

    @Test
    void a_pool_that_nodes_shared_is_not_one_nodes_own_later() {
        try (VolumeStore a = on("a")) {
            make(a, ID, TestWork.patient());
        }
        try (VolumeStore alone = process("a").open(shared(base, Map.of("shared", "false", "kind", "directory")))) {
            assertThatThrownBy(() -> alone.find(ID, TestWork.patient()))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("write shared: true again");
        }
    }

    @Test
    void what_nodes_could_destroy_for_each_other_is_refused() {
        assertThat(process("a").problems(shared(base, Map.of("kind", "image"))))
                .anySatisfy(problem ->
                        assertThat(problem.toString()).contains("kind").contains("in use"));
        assertThat(process("a").problems(shared(base, Map.of("systemDisk", "warn"))))
                .anySatisfy(problem -> assertThat(problem.toString()).contains("on its own disk"));
        assertThat(new PoolFixture("existing").problems(shared(base, Map.of())))
                .anySatisfy(problem -> assertThat(problem.toString()).contains("CSI_NODE_ID"));
    }
}
