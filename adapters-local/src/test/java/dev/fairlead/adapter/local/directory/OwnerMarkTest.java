package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
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
import org.junit.jupiter.params.provider.CsvSource;

/** The mark of a base folder's owner, while the owner's CSI names come and go. */
class OwnerMarkTest {
    private static final NativeId A = new NativeId("pvc-a");

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private Path mark = folder;

    @BeforeEach
    void mark() {
        mark = folder.resolve("base/.fairlead/owner");
    }

    private VolumeStore store(String installation) {
        return new DirectoryFixture(folder.resolve("base")).openAs(installation);
    }

    private static StoredVolume make(VolumeStore store, String name) {
        return store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                .volume();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"org.a | org.a,org.b", "org.a,org.b | org.a", "org.a,org.b | org.b,org.c", "org.b | org.a,org.b"})
    void an_installation_is_the_same_while_one_of_its_names_stays(String before, String after) throws IOException {
        StoredVolume made = make(store(before), "pvc-a");

        VolumeStore store = store(after);
        assertThat(store.find(A, TestWork.patient())).contains(made);
        assertThat(Files.readString(mark)).contains("\"" + before + "\"");
        make(store, "pvc-b");

        assertThat(Files.readString(mark)).contains("\"" + after + "\"");
        assertThat(DirectoryFixture.names(mark.resolveSibling("partial"))).isEmpty();
    }

    @Test
    void names_may_be_exchanged_one_after_the_other_and_the_first_installation_is_then_another() {
        make(store("org.a"), "pvc-a");
        make(store("org.a,org.b"), "pvc-b");
        make(store("org.b"), "pvc-c");

        Failing.with(Failure.BackendRejected.class, () -> store("org.a").find(A, TestWork.patient()));
        assertThat(store("org.b").find(A, TestWork.patient())).isPresent();
    }

    @Test
    void a_name_that_only_begins_like_another_is_another() {
        make(store("org.a"), "pvc-a");

        Failing.with(Failure.BackendRejected.class, () -> store("org.ab,org").find(A, TestWork.patient()));
    }

    @Test
    void a_process_that_knows_fewer_names_goes_on_beside_one_that_knows_more() throws IOException {
        VolumeStore fewer = store("org.a");
        make(fewer, "pvc-a");
        VolumeStore more = store("org.a,org.b");
        make(more, "pvc-b");

        make(fewer, "pvc-c");
        make(more, "pvc-d");

        assertThat(Files.readString(mark)).contains("\"org.a,org.b\"");
    }

    @Test
    void a_base_whose_mark_was_removed_changes_hands_while_the_process_goes_on() throws IOException {
        DirectoryFixture process = new DirectoryFixture(folder.resolve("base"));
        make(process.open(), "pvc-a");
        VolumeStore next = process.open("next", Map.of());
        Failing.with(Failure.BackendRejected.class, () -> next.find(A, TestWork.patient()));

        Files.delete(mark);
        make(next, "pvc-b");

        assertThat(next.find(A, TestWork.patient())).isPresent();
        assertThat(Files.readString(mark)).contains("\"next\"");
    }

    @Test
    void a_mark_of_an_earlier_version_is_ours_and_learns_of_which_base_it_is() throws IOException {
        make(store("org.a"), "pvc-a");
        Files.writeString(mark, "{\"connection\": \"test\", \"installation\": \"org.a\", \"future\": \"kept\"}");

        make(store("org.a"), "pvc-b");

        assertThat(Files.readString(mark)).contains("\"base\"").contains("\"future\": \"kept\"");
    }
}
