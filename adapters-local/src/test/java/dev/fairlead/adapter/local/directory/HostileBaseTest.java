package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileFiles;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links, files and strangers' marks where the store keeps its things. */
class HostileBaseTest {
    private static final NativeId A = new NativeId("pvc-a");

    @TempDir
    Path folder = Path.of("/nowhere");

    private Path base = folder;
    private Path outside = folder;

    @BeforeEach
    void folders() throws IOException {
        base = Files.createDirectory(folder.resolve("base"));
        outside = Files.createDirectory(folder.resolve("outside"));
        Files.createDirectory(outside.resolve("pvc-a"));
        Files.writeString(outside.resolve("pvc-a/precious"), "precious");
    }

    private VolumeStore store() {
        return new DirectoryFixture(base).open();
    }

    private static StoredVolume make(VolumeStore store, String name) {
        return store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                .volume();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v", "s", ".fairlead", ".fairlead/volumes", ".fairlead/partial", ".fairlead/trash"})
    void a_link_in_the_place_of_a_folder_is_not_followed(String name) throws IOException {
        Files.createDirectories(base.resolve(name).getParent());
        Files.createSymbolicLink(base.resolve(name), outside);

        Failing.with(Failure.NotOurs.class, () -> make(store(), "pvc-new"));
        Failing.with(Failure.NotOurs.class, () -> store().find(A, TestWork.patient()));
        Failing.with(Failure.NotOurs.class, () -> store().delete(A, OnDependents.REFUSE, TestWork.patient()));
        Failing.with(Failure.NotOurs.class, () -> store().list(PageRequest.all(), TestWork.patient()));

        assertThat(DirectoryFixture.names(outside)).containsExactly("pvc-a");
        assertThat(Files.readString(outside.resolve("pvc-a/precious"))).isEqualTo("precious");
    }

    @Test
    void a_link_in_the_place_of_a_volume_is_nobodys_volume() throws IOException {
        make(store(), "pvc-b");
        Files.createSymbolicLink(base.resolve("v/pvc-a"), outside.resolve("pvc-a"));

        Failing.with(Failure.NotOurs.class, () -> make(store(), "pvc-a"));
        Failing.with(Failure.NotOurs.class, () -> store().delete(A, OnDependents.REFUSE, TestWork.patient()));
        Failing.with(
                Failure.NotOurs.class,
                () -> store().snapshots()
                        .orElseThrow()
                        .take(TestVolumes.snapshot("snap", make(store(), "pvc-a")), 100, TestWork.patient()));
        assertThat(store().list(PageRequest.all(), TestWork.patient()).items()).hasSize(1);

        assertThat(Files.readString(outside.resolve("pvc-a/precious"))).isEqualTo("precious");
    }

    @Test
    void the_base_itself_may_be_a_link() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), base);

        make(new DirectoryFixture(link).open(), "pvc-a");

        assertThat(base.resolve("v/pvc-a")).isDirectory();
    }

    @Test
    void links_inside_a_volume_lead_nowhere_when_it_is_cloned_and_deleted() throws IOException {
        VolumeStore store = store();
        Path root = Path.of(make(store, "pvc-a").medium().path());
        Files.createSymbolicLink(root.resolve("out"), outside);
        store.create(store.plan(TestVolumes.fromVolume("pvc-b", A), new NativeId("pvc-b")), TestWork.patient());

        store.delete(A, OnDependents.REFUSE, TestWork.patient());
        store.delete(new NativeId("pvc-b"), OnDependents.REFUSE, TestWork.patient());

        assertThat(Files.readString(outside.resolve("pvc-a/precious"))).isEqualTo("precious");
        new DirectoryFixture(base).verifyEmpty();
    }

    @Test
    void a_base_belongs_to_one_connection() {
        make(store(), "pvc-a");
        VolumeStore other = new DirectoryFixture(base).open("other", Map.of());

        Failing.with(Failure.BackendRejected.class, () -> make(other, "pvc-b"));
        Failing.with(Failure.BackendRejected.class, () -> other.find(A, TestWork.patient()));
        Failing.with(Failure.BackendRejected.class, () -> other.delete(A, OnDependents.REFUSE, TestWork.patient()));

        assertThat(store().find(A, TestWork.patient())).isPresent();
    }

    @Test
    void a_torn_mark_is_made_anew() throws IOException {
        make(store(), "pvc-a");
        Files.writeString(base.resolve(".fairlead/owner"), "");

        make(store(), "pvc-b");

        assertThat(Files.readString(base.resolve(".fairlead/owner"))).contains("dev.fairlead.test");
    }

    @Test
    void a_record_that_somebody_broke_counts_as_none() throws IOException {
        make(store(), "pvc-a");
        for (byte[] content : HostileFiles.contents()) {
            Files.write(base.resolve(".fairlead/volumes/pvc-a.json"), content);

            StoredVolume found = store().find(A, TestWork.patient()).orElseThrow();

            assertThat(found.name()).isEmpty();
            assertThat(found.capacity()).isEmpty();
            assertThat(found.notes()).isEmpty();
        }
        assertThat(store().expand(A, TestVolumes.atLeast(TestVolumes.SIZE), TestWork.patient())
                        .capacity())
                .contains(TestVolumes.SIZE);
    }

    @Test
    void what_an_earlier_process_left_half_made_is_cleared_away() throws IOException {
        make(store(), "pvc-a");
        Files.createDirectories(base.resolve(".fairlead/partial/1234.folder.volume.pvc-b/deep"));
        Files.writeString(base.resolve(".fairlead/partial/1234.record.volume.pvc-b"), "{");
        Files.createDirectories(base.resolve(".fairlead/trash/old/deep"));

        make(store(), "pvc-c");

        assertThat(DirectoryFixture.names(base.resolve(".fairlead/partial"))).isEmpty();
        assertThat(DirectoryFixture.names(base.resolve(".fairlead/trash"))).isEmpty();
    }

    @Test
    void fields_of_a_later_version_are_kept() throws IOException {
        make(store(), "pvc-a");
        Path record = base.resolve(".fairlead/volumes/pvc-a.json");
        Files.writeString(record, Files.readString(record).replace("{", "{\n \"future\": \"field\","));

        store().note(A, Map.of("key", "value"), TestWork.patient());

        assertThat(Files.readString(record)).contains("\"future\": \"field\"").contains("\"note:key\": \"value\"");
    }
}
