package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that starts while a base folder that earlier ones used is away. */
class KeptBaseTest {
    private static final NativeId A = new NativeId("pvc-a");

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private Path base = folder;
    private Path away = folder;
    private Path seen = folder;

    @BeforeEach
    void places() {
        base = folder.resolve("base");
        away = folder.resolve("away");
        seen = folder.resolve("csi.sock.bases");
    }

    /** A store of a process that starts now. */
    private VolumeStore started(String baseFolder) {
        return DirectoryFixture.keeping(seen, base, baseFolder).open();
    }

    private VolumeStore started(String connection, String baseFolder) {
        return DirectoryFixture.keeping(seen, base, baseFolder).open(connection, Map.of());
    }

    private static void make(VolumeStore store, String name) {
        var _ = store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient());
    }

    private static List<?> list(VolumeStore store) {
        return store.list(PageRequest.all(), TestWork.patient()).items();
    }

    private static boolean holds(VolumeStore store, NativeId id) {
        return store.find(id, TestWork.patient()).isPresent();
    }

    private static void unavailable(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class));
    }

    private void isOutOfReach(VolumeStore store) {
        List<String> before = Files.exists(base) ? DirectoryFixture.names(base) : List.of();
        unavailable(() -> list(store));
        unavailable(() -> store.find(A, TestWork.patient()));
        unavailable(() -> store.delete(A, OnDependents.REFUSE, TestWork.patient()));
        unavailable(() -> make(store, "pvc-new"));
        unavailable(() -> store.room(Map.of(), TestWork.patient()));
        assertThat(Files.exists(base) ? DirectoryFixture.names(base) : List.of())
                .isEqualTo(before);
    }

    private void unmount() throws IOException {
        Files.move(base, away);
        Files.createDirectory(base);
    }

    private void mount() throws IOException {
        Files.delete(base);
        Files.move(away, base);
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(seen)) {
            return files.reduce((_, _) -> {
                        throw new AssertionError("several files");
                    })
                    .orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"existing", "create", "prepared"})
    void a_bare_mount_point_is_no_new_base_where_an_earlier_process_has_used_one(String baseFolder) throws IOException {
        make(started("create"), "pvc-a");
        unmount();
        VolumeStore store = started(baseFolder);

        isOutOfReach(store);
        mount();

        assertThat(holds(store, A)).isTrue();
        make(store, "pvc-b");
    }

    @Test
    void a_base_that_is_missing_is_not_made_anew() throws IOException {
        make(started("create"), "pvc-a");
        Files.move(base, away);
        VolumeStore store = started("create");

        isOutOfReach(store);

        assertThat(base).doesNotExist();
    }

    @Test
    void a_base_that_earlier_processes_only_read_is_known_too() throws IOException {
        Files.createDirectories(base.resolve("v/pvc-a"));
        assertThat(list(started("existing"))).hasSize(1);
        unmount();

        isOutOfReach(started("existing"));
    }

    @Test
    void a_base_that_was_laid_out_in_the_mount_point_before_is_not_taken_for_the_one_that_is_away() throws IOException {
        make(new DirectoryFixture(base).open(), "pvc-stray");
        Path stray = Files.move(base, folder.resolve("stray"));
        Files.createDirectories(base.resolve("v/pvc-a"));
        make(started("existing"), "pvc-b");
        Files.move(base, away);
        Files.move(stray, base);
        VolumeStore store = started("existing");

        isOutOfReach(store);
        Files.move(base, stray);
        Files.move(away, base);

        assertThat(holds(store, A)).isTrue();
    }

    @Test
    void the_mount_is_used_where_a_process_that_has_ended_laid_out_the_mount_point() throws Exception {
        Path mounted = Files.createDirectory(folder.resolve("mounted"));
        Files.createDirectory(base);
        Mounts.assumeTmpfs(mounted);
        try {
            make(new DirectoryFixture(mounted).open(), "pvc-a");
            make(started("existing"), "pvc-stray");
            Mounts.bind(mounted, base);

            VolumeStore store = started("existing");
            boolean found = holds(store, A);
            Mounts.unmount(base);

            assertThat(found).isTrue();
            isOutOfReach(store);
            isOutOfReach(started("existing"));
        } finally {
            Mounts.unmount(base);
            Mounts.unmount(mounted);
        }
    }

    @Test
    void a_base_that_was_emptied_for_good_is_new_once_the_file_that_the_message_names_is_removed() throws IOException {
        make(started("create"), "pvc-a");
        unmount();
        VolumeStore store = started("existing");
        assertThatThrownBy(() -> list(store)).hasMessageContaining("remove " + file() + " and restart the driver");

        Files.delete(file());

        make(started("existing"), "pvc-b");
        assertThat(holds(started("existing"), A)).isFalse();
    }

    @Test
    void a_base_is_known_for_its_connection_alone() throws IOException {
        make(started("one", "create"), "pvc-a");
        unmount();

        unavailable(() -> list(started("one", "existing")));
        assertThat(list(started("two", "existing"))).isEmpty();
        make(started("two", "existing"), "pvc-b");
        Files.move(base, folder.resolve("of-two"));
        Files.createDirectory(base);

        unavailable(() -> list(started("two", "existing")));
        assertThat(DirectoryFixture.names(seen)).hasSize(2);
    }

    @Test
    void the_longest_name_has_a_file_too() throws IOException {
        make(started("c".repeat(250), "create"), "pvc-a");
        unmount();

        unavailable(() -> list(started("c".repeat(250), "existing")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"connection\": \"test\"}", "[]"})
    void a_damaged_file_says_that_the_base_was_used_and_is_written_again(String text) throws IOException {
        make(started("create"), "pvc-a");
        Path file = file();
        String whole = Files.readString(file);
        Files.writeString(file, text);
        unmount();

        isOutOfReach(started("existing"));
        mount();

        assertThat(holds(started("existing"), A)).isTrue();
        assertThat(file).hasContent(whole);
    }

    @Test
    void a_file_of_anything_but_text_and_one_that_is_a_link_say_the_same() throws IOException {
        make(started("create"), "pvc-a");
        Path file = file();
        unmount();

        Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
        isOutOfReach(started("existing"));
        Files.delete(file);
        Files.createSymbolicLink(file, folder.resolve("elsewhere"));
        isOutOfReach(started("existing"));
        mount();
        Path victim = Files.writeString(folder.resolve("elsewhere"), "mine", StandardCharsets.UTF_8);

        assertThat(holds(started("existing"), A)).isTrue();
        assertThat(victim).hasContent("mine");
        assertThat(Files.isSymbolicLink(file)).isFalse();
    }

    /**
     * A read that fails now says nothing: what is mounted there may be another base, and would be kept in its place.
     */
    @Test
    void a_base_whose_file_cannot_be_read_at_the_moment_is_out_of_reach() throws Exception {
        make(started("create"), "pvc-a");
        Path file = file();
        String whole = Files.readString(file);
        Mounts.assumeBound(Path.of("/proc/sys/vm/drop_caches"), file); // a file that nobody may read
        try {
            isOutOfReach(started("existing"));
        } finally {
            Mounts.unmount(file);
        }

        assertThat(holds(started("existing"), A)).isTrue();
        assertThat(file).hasContent(whole);
    }

    @Test
    void where_nothing_can_be_kept_the_base_is_used_and_known_for_the_life_of_the_process() throws IOException {
        Files.writeString(seen, "a file where the folder is to be");
        VolumeStore store = started("create");
        make(store, "pvc-a");
        assertThat(holds(store, A)).isTrue();
        unmount();

        isOutOfReach(store);
    }

    @Test
    void what_is_kept_is_root_s_alone_and_not_written_again_without_news() throws IOException {
        make(started("create"), "pvc-a");
        Object inode = Files.getAttribute(file(), "unix:ino");

        make(started("existing"), "pvc-b");

        assertThat(Files.getAttribute(file(), "unix:ino")).isEqualTo(inode);
        assertThat(Files.getAttribute(file(), "unix:mode")).isEqualTo(0100600);
        assertThat(Files.getAttribute(seen, "unix:mode")).isEqualTo(0040700);
    }
}
