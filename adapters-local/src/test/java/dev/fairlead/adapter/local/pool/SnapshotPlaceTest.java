package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.DirectoryFixture;
import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.Mounts;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The folder of the other program's snapshots, whose storage may be away, and copies there that were cut. */
class SnapshotPlaceTest {
    private static final NativeId VOLUME = new NativeId("pvc-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0001");
    private static final NativeId SNAPSHOT = new NativeId("snapshot-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0009");
    private static final String BELOW = "pool/snapshots";
    private static final String BESIDE = "taken";

    @TempDir(factory = InMemory.class)
    Path folder;

    @BeforeEach
    void makeVolume() throws IOException {
        Path volume = Files.createDirectories(folder.resolve("pool").resolve(VOLUME.value()));
        Files.writeString(volume.resolve("file"), "later");
    }

    /** Gives a folder a time from before it was made, as the last step of {@code cp -rp} does. */
    static void end(Path copy) throws IOException {
        Files.setLastModifiedTime(copy, FileTime.from(Instant.parse("2024-03-01T10:00:00Z")));
    }

    /** Returns the content of a snapshot that is still being made. */
    private Path begin(String place) throws IOException {
        Path snapshot = folder.resolve(place).resolve(SNAPSHOT.value());
        Path data = Files.createDirectories(snapshot.resolve("data"));
        Files.createDirectory(snapshot.resolve(VOLUME.value()));
        return data;
    }

    private void fill(String place) throws IOException {
        Path data = begin(place);
        Files.writeString(data.resolve("file"), "as it was");
        end(data);
    }

    private VolumeStore open(PoolFixture process, String place) {
        return process.openTold(PoolFixture.pool(
                "legacy",
                folder.resolve("pool"),
                "directory",
                Map.of("hostpathProvisioner", "true", "snapshotPath", folder.resolve(place))));
    }

    /** Returns a process that has seen nothing yet. */
    private static PoolFixture process() {
        return new PoolFixture("existing");
    }

    /** The same on a machine that has but one disk, with the operating system. */
    private static PoolFixture processOnSystemDisk() {
        return new PoolFixture(
                "existing",
                new PoolFixture.NoDevices(),
                new SystemDisk(List.of(Path.of("/")), _ -> Optional.of("one")));
    }

    private static SnapshotStore snapshots(VolumeStore store) {
        return store.snapshots().orElseThrow();
    }

    private static void take(VolumeStore store) {
        snapshots(store)
                .take(new SnapshotRequest(new CsiName(SNAPSHOT.value()), VOLUME, Map.of()), 120, TestWork.patient());
    }

    private static void delete(VolumeStore store) {
        snapshots(store).delete(SNAPSHOT, TestWork.patient());
    }

    private static void restore(VolumeStore store) {
        store.create(
                store.plan(TestVolumes.with("pvc-r", new Content.OfSnapshot(SNAPSHOT)), new NativeId("pvc-r")),
                TestWork.patient());
    }

    private static List<String> listed(VolumeStore store) {
        return snapshots(store).list(Optional.empty(), PageRequest.all(), TestWork.patient()).items().stream()
                .map(snapshot -> snapshot.id().value())
                .toList();
    }

    private static void verifyUntold(VolumeStore store) {
        Failing.with(Failure.BackendUnavailable.class, () -> delete(store));
        Failing.with(Failure.BackendUnavailable.class, () -> take(store));
        Failing.with(Failure.BackendUnavailable.class, () -> restore(store));
        Failing.with(Failure.BackendUnavailable.class, () -> listed(store));
        Failing.with(Failure.BackendUnavailable.class, () -> snapshots(store).find(SNAPSHOT, TestWork.patient()));
        Failing.with(
                Failure.BackendUnavailable.class,
                () -> snapshots(store).findByName(new CsiName(SNAPSHOT.value()), TestWork.patient()));
    }

    private void verifyNone(VolumeStore store) {
        assertThat(listed(store)).isEmpty();
        assertThat(snapshots(store).find(SNAPSHOT, TestWork.patient())).isEmpty();
        delete(store);
        take(store);
        assertThat(listed(store)).hasSize(1);
    }

    private void unmount(String place) throws IOException {
        Files.move(folder.resolve(place), folder.resolve("away"));
        Files.createDirectory(folder.resolve(place));
    }

    private void mount(String place) throws IOException {
        Files.delete(folder.resolve(place));
        Files.move(folder.resolve("away"), folder.resolve(place));
    }

    @ParameterizedTest
    @ValueSource(strings = {BELOW, BESIDE})
    void nothing_is_told_of_snapshots_whose_storage_went_away(String place) throws IOException {
        fill(place);
        try (VolumeStore store = open(process(), place)) {
            assertThat(listed(store)).containsExactly(SNAPSHOT.value());
            unmount(place);

            verifyUntold(store);

            assertThatThrownBy(() -> delete(store)).hasMessageContaining(".fairlead-snapshots");
            mount(place);
            assertThat(listed(store)).containsExactly(SNAPSHOT.value());
            restore(store);
        }
    }

    @Test
    void an_empty_mount_point_on_the_systems_disk_tells_nothing_to_a_process_that_has_seen_nothing()
            throws IOException {
        Files.createDirectories(folder.resolve(BESIDE));
        try (VolumeStore store = open(processOnSystemDisk(), BESIDE)) {
            verifyUntold(store);

            Files.createFile(folder.resolve(BESIDE).resolve(".fairlead-snapshots"));
            verifyNone(store);
        }
    }

    @Test
    void a_later_process_knows_what_an_earlier_one_has_seen() throws IOException {
        fill(BELOW);
        Path seen = folder.resolve("seen");
        try (VolumeStore store = open(PoolFixture.remembering(seen), BELOW)) {
            assertThat(listed(store)).containsExactly(SNAPSHOT.value());
        }
        unmount(BELOW);
        try (VolumeStore store = open(PoolFixture.remembering(seen), BELOW)) {
            verifyUntold(store);
        }
    }

    @Test
    void a_folder_whose_last_snapshot_was_deleted_is_empty_and_is_missed_once_it_is_away() throws IOException {
        fill(BESIDE);
        try (VolumeStore store = open(processOnSystemDisk(), BESIDE)) {
            delete(store);
            assertThat(folder.resolve(BESIDE).resolve(SNAPSHOT.value())).doesNotExist();
            assertThat(listed(store)).isEmpty();
        }
        try (VolumeStore store = open(processOnSystemDisk(), BESIDE)) {
            verifyNone(store);
            unmount(BESIDE);
            verifyAwayAndBack(store);
        }
    }

    private void verifyAwayAndBack(VolumeStore store) throws IOException {
        Failing.with(Failure.BackendUnavailable.class, () -> listed(store));
        mount(BESIDE);
        assertThat(listed(store)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void no_snapshot_was_taken_where_the_disk_of_the_pool_is_there(boolean exists) throws IOException {
        if (exists) {
            Files.createDirectory(folder.resolve(BELOW));
        }
        try (VolumeStore store = open(processOnSystemDisk(), BELOW)) {
            verifyNone(store);
        }
    }

    @Test
    void the_last_snapshot_is_deleted_from_a_file_system_that_has_no_room_for_the_mark() throws Exception {
        Path place = Files.createDirectory(folder.resolve(BESIDE));
        Mounts.assumeTmpfs(place);
        try (VolumeStore store = open(process(), BESIDE)) {
            fill(BESIDE);
            assertThat(Mounts.run("mount", "-o", "remount,nr_inodes=5", place.toString()))
                    .isTrue();
            assertThatThrownBy(() -> Files.createFile(place.resolve("more"))).hasMessageContaining("No space left");

            delete(store);

            assertThat(DirectoryFixture.names(place)).containsExactly(".fairlead-snapshots");
            assertThat(listed(store)).isEmpty();
        } finally {
            Mounts.unmount(place);
        }
    }

    @Test
    void an_empty_subvolume_below_the_pool_is_on_its_disk() throws Exception {
        Path pool = folder.resolve("pool");
        Mounts.assumeLoop(folder.resolve("disk"), "128M", "mkfs.btrfs -q", pool);
        try {
            makeVolume();
            Path place = folder.resolve(BELOW);
            assertThat(Mounts.run("btrfs", "subvolume", "create", place.toString()))
                    .isTrue();
            assertThat(Files.getAttribute(place, "unix:dev")).isNotEqualTo(Files.getAttribute(pool, "unix:dev"));
            try (VolumeStore store = open(process(), BELOW)) {
                verifyNone(store);
            }
        } finally {
            Mounts.unmount(pool);
        }
    }

    @Test
    void a_folder_beside_the_pool_on_a_disk_of_theirs_may_be_empty() throws IOException {
        Files.createDirectory(folder.resolve(BESIDE));
        try (VolumeStore store = open(process(), BESIDE)) {
            verifyNone(store);
        }
    }

    @Test
    void a_folder_below_a_pool_that_is_not_there_tells_nothing() throws IOException {
        Files.move(folder.resolve("pool"), folder.resolve("away"));
        Files.createDirectories(folder.resolve(BELOW));
        try (VolumeStore store = open(process(), BELOW)) {
            Failing.with(Failure.BackendUnavailable.class, () -> delete(store));
            Failing.with(Failure.BackendUnavailable.class, () -> listed(store));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", ""})
    void a_copy_that_was_cut_is_no_snapshot_until_it_is_removed(String last) throws IOException {
        Path data = begin(BELOW);
        if (!last.isEmpty()) {
            Files.writeString(data.resolve(last), "half");
        }
        try (VolumeStore store = open(process(), BELOW)) {
            assertThatThrownBy(() -> take(store)).hasMessageContaining("did not come to its end");
            Failing.with(Failure.BackendUnavailable.class, () -> restore(store));
            Failing.with(
                    Failure.BackendUnavailable.class, () -> snapshots(store).find(SNAPSHOT, TestWork.patient()));
            assertThat(listed(store)).isEmpty();

            delete(store);

            assertThat(data).doesNotExist();
            take(store);
            assertThat(listed(store)).containsExactly(VOLUME + "-" + SNAPSHOT);
        }
    }

    /** The program makes the copy's folder first, so the volume may get a later time than that. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_copy_that_came_to_its_end_is_a_snapshot_also_of_a_volume_in_use(boolean changed) throws Exception {
        Path volume = folder.resolve("pool").resolve(VOLUME.value());
        end(volume);
        Path data = begin(BELOW);
        if (changed) {
            Files.writeString(volume.resolve("new"), "");
            awaitNextTime(volume);
        }
        Process copying = new ProcessBuilder("cp", "-rp", "--reflink=auto", volume + "/.", data.toString())
                .inheritIO()
                .start();
        assertThat(copying.waitFor()).isZero();
        try (VolumeStore store = open(process(), BELOW)) {
            assertThat(listed(store)).containsExactly(SNAPSHOT.value());
            restore(store);
        }
    }

    /** Waits until what is made now is younger than a folder's last change; times advance by some milliseconds. */
    private void awaitNextTime(Path changed) throws IOException {
        Path probe = folder.resolve("probe");
        do {
            Files.writeString(probe, "now");
        } while (Files.getLastModifiedTime(probe).compareTo(Files.getLastModifiedTime(changed)) <= 0);
    }
}
