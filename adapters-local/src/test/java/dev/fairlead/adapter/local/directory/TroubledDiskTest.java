package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** File systems of their own that are small, read-only, or share blocks. */
class TroubledDiskTest {
    private static final NativeId A = new NativeId("pvc-a");

    @TempDir
    Path folder = Path.of("/nowhere");

    private boolean mounted;

    private Path mount(String... arguments) throws IOException, InterruptedException {
        Path point = Files.createDirectory(folder.resolve("mounted"));
        String[] command = new String[arguments.length + 2];
        command[0] = "mount";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        command[command.length - 1] = point.toString();
        mounted = Mounts.run(command);
        assumeTrue(mounted, "left out: this needs the right to mount");
        return point;
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (mounted) {
            assertThat(Mounts.run("umount", folder.resolve("mounted").toString()))
                    .isTrue();
        }
    }

    private static StoredVolume make(VolumeStore store, String name) {
        return store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                .volume();
    }

    @Test
    void a_copy_that_finds_no_room_is_taken_back_and_says_so() throws Exception {
        Path base = mount("-t", "tmpfs", "-o", "size=2m", "tmpfs");
        VolumeStore store = new DirectoryFixture(base).open();
        StoredVolume made = make(store, "pvc-a");
        Files.write(Path.of(made.medium().path(), "data"), new byte[1_200_000]);
        String before = Dump.of(base);
        long room = store.room(Map.of(), TestWork.patient()).available().bytes();
        var birth = store.plan(TestVolumes.fromVolume("pvc-b", A), new NativeId("pvc-b"));

        Failing.with(Failure.OutOfSpace.class, () -> store.create(birth, TestWork.patient()));
        Failing.with(
                Failure.OutOfSpace.class,
                () -> store.snapshots()
                        .orElseThrow()
                        .take(TestVolumes.snapshot("snap", made), 100, TestWork.patient()));

        assertThat(Dump.of(base)).isEqualTo(before);
        assertThat(store.room(Map.of(), TestWork.patient()).available().bytes()).isEqualTo(room);
    }

    @Test
    void a_folder_that_cannot_be_written_is_told_apart() throws Exception {
        Path base = mount("-t", "tmpfs", "tmpfs");
        VolumeStore store = new DirectoryFixture(base).open();
        StoredVolume made = make(store, "pvc-a");
        assumeTrue(Mounts.run("mount", "-o", "remount,ro", base.toString()));

        Failing.with(Failure.StorageReadOnly.class, () -> make(store, "pvc-b"));
        Failing.with(Failure.StorageReadOnly.class, () -> store.delete(A, OnDependents.REFUSE, TestWork.patient()));

        assertThat(store.find(A, TestWork.patient())).contains(made);
    }

    @Test
    void a_volume_with_something_mounted_on_it_is_in_use() throws Exception {
        Path base = Files.createDirectory(folder.resolve("base"));
        VolumeStore store = new DirectoryFixture(base).open();
        Path root = Path.of(make(store, "pvc-a").medium().path());
        mounted = Mounts.run("mount", "-t", "tmpfs", "tmpfs", root.toString());
        assumeTrue(mounted, "left out: this needs the right to mount");

        try {
            Failing.with(Failure.InUse.class, () -> store.delete(A, OnDependents.REFUSE, TestWork.patient()));
        } finally {
            Mounts.run("umount", root.toString());
            mounted = false;
        }
        store.delete(A, OnDependents.REFUSE, TestWork.patient());
        new DirectoryFixture(base).verifyEmpty();
    }

    @Test
    void a_clone_shares_the_blocks_of_its_source_where_the_file_system_can() throws Exception {
        Path base = mountNew("mkfs.xfs");
        VolumeStore store = new DirectoryFixture(base).open();
        Path root = Path.of(make(store, "pvc-a").medium().path());
        Files.write(root.resolve("data"), new byte[64 << 20]);
        Mounts.run("sync", "-f", base.toString());
        long before = store.room(Map.of(), TestWork.patient()).available().bytes();

        store.create(store.plan(TestVolumes.fromVolume("pvc-b", A), new NativeId("pvc-b")), TestWork.patient());

        assertThat(Files.mismatch(root.resolve("data"), base.resolve("v/pvc-b/data")))
                .isNegative();
        assertThat(before - store.room(Map.of(), TestWork.patient()).available().bytes())
                .isLessThan(4L << 20);
    }

    @Test
    void a_volume_that_is_written_to_is_copied_where_blocks_are_shared() throws Exception {
        Path base = mountNew("mkfs.btrfs");
        VolumeStore store = new DirectoryFixture(base).open();
        StoredVolume made = make(store, "pvc-a");
        AtomicBoolean done = new AtomicBoolean();
        List<Thread> programs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Path log = Path.of(made.medium().path(), "log-" + i);
            programs.add(Thread.ofPlatform().start(() -> append(log, done)));
        }
        try {
            for (int i = 0; i < 5; i++) {
                store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-" + i, made), 100, TestWork.patient());
            }
        } finally {
            done.set(true);
            for (Thread program : programs) {
                program.join();
            }
        }
    }

    private static void append(Path log, AtomicBoolean done) {
        try (OutputStream to = Files.newOutputStream(log)) {
            while (!done.get()) {
                to.write(new byte[100]);
                LockSupport.parkNanos(200_000);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void subvolumes_of_a_volume_go_with_it_deep_nested_and_read_only_ones_too() throws Exception {
        Path base = mountNew("mkfs.btrfs");
        VolumeStore store = new DirectoryFixture(base).open();
        Path root = Path.of(make(store, "pvc-a").medium().path());
        Path deep = Files.createDirectories(root.resolve("a/".repeat(40)));
        Path first = subvolume(deep.resolve("first"));
        Path second = subvolume(
                Files.createDirectories(first.resolve("b/".repeat(70))).resolve("second"));
        Files.createDirectories(second.resolve("c/".repeat(70)));
        Files.writeString(second.resolve("file"), "x");
        for (String each : List.of("d", "e", "f")) {
            Files.createDirectories(second.resolve(each + "/" + "g/".repeat(70)));
        }
        assertThat(Mounts.run("btrfs", "subvolume", "snapshot", "-r", first.toString(), root + "/image"))
                .isTrue();
        assertThat(Mounts.run("btrfs", "subvolume", "snapshot", "-r", second.toString(), first + "/image"))
                .isTrue();
        assertThat(Mounts.run("btrfs", "property", "set", first.toString(), "ro", "true"))
                .isTrue();

        store.delete(A, OnDependents.REFUSE, TestWork.patient());

        new DirectoryFixture(base).verifyEmpty();
    }

    private static Path subvolume(Path path) throws IOException, InterruptedException {
        assertThat(Mounts.run("btrfs", "subvolume", "create", path.toString())).isTrue();
        return path;
    }

    private Path mountNew(String format) throws IOException, InterruptedException {
        Path image = folder.resolve("image");
        boolean made =
                Mounts.run("truncate", "-s", "320M", image.toString()) && Mounts.run(format, "-q", image.toString());
        assumeTrue(made, "left out: this needs " + format);
        return mount("-o", "loop", image.toString());
    }
}
