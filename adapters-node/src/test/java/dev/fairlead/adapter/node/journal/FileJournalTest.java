package dev.fairlead.adapter.node.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.node.StageJournal.CutFormat;
import dev.fairlead.application.port.out.node.StageJournal.Entry;
import dev.fairlead.application.port.out.node.StageJournal.FilesystemState;
import dev.fairlead.application.port.out.node.StageJournal.Inventory;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileJournalTest {
    private static final String HANDLE = "v:nas/pvc-1";

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder = Path.of("/nonexistent");

    private FileJournal journal() {
        return new FileJournal(folder.resolve("staged"));
    }

    private static Entry entry(String handle) {
        return new Entry(
                handle,
                Path.of("/kubelet/a b/globalmount"),
                new Attachment.Iscsi("10.0.0.1:3260", List.of("10.0.0.2:3260"), "", "iqn.x:a=b&c", 3),
                false,
                Map.of("session", "1", "wwid", "36001=%"),
                Optional.of(new FilesystemState(
                        "ext4",
                        Optional.of("uuid"),
                        Optional.of(new CutFormat(Path.of("/dev/é"), "size=1 wwid=naa.6001 é", Optional.of("ab=c"))))));
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("staged"))) {
            return files.findFirst().orElseThrow();
        }
    }

    @Test
    void what_is_written_is_read_by_the_next_process_and_removed() throws IOException {
        journal().write(entry(HANDLE), work);

        assertThat(journal().of(HANDLE)).contains(entry(HANDLE));
        assertThat(journal().inventory().entries()).containsExactly(entry(HANDLE));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        journal().remove(HANDLE, work);
        journal().remove(HANDLE, work);
        assertThat(journal().of(HANDLE)).isEmpty();
        assertThat(journal().inventory().entries()).isEmpty();
    }

    @Test
    void a_folder_that_is_not_there_holds_nothing() {
        assertThat(journal().of(HANDLE)).isEmpty();
        assertThat(journal().inventory().entries()).isEmpty();
        journal().remove(HANDLE, work);
    }

    @Test
    void an_entry_replaces_the_former_one_also_after_a_cut_write() throws IOException {
        journal().write(entry(HANDLE), work);
        Files.writeString(file().resolveSibling(file().getFileName() + ".new"), "half");

        Entry next = entry(HANDLE).with(FilesystemState.finished("xfs", Optional.empty()));
        journal().write(next, work);

        assertThat(journal().of(HANDLE)).contains(next);
        assertThat(journal().inventory().entries()).hasSize(1);
    }

    @Test
    void a_cut_format_that_a_former_version_wrote_is_read() throws IOException {
        journal().write(entry(HANDLE), work);
        Files.writeString(file(), Files.readString(file()).replaceAll("filesystem\\.(path|remains)=.*\n", ""));

        assertThat(journal().of(HANDLE).orElseThrow().filesystem().orElseThrow().cut())
                .contains(new CutFormat(Path.of("/"), "size=1 wwid=naa.6001 é", Optional.empty()));
    }

    @Test
    void handles_of_any_characters_have_a_file_each() {
        List<String> handles = HostileInput.texts()
                .filter(it -> !it.isEmpty() && it.indexOf('\0') < 0)
                .filter(it -> it.equals(new String(it.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)))
                .distinct()
                .limit(60)
                .toList();

        handles.forEach(it -> journal().write(entry(it), work));

        handles.forEach(it -> assertThat(journal().of(it)).contains(entry(it)));
        assertThat(journal().inventory().entries()).hasSize(handles.size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "fairlead staged 1\n",
                "fairlead staged 2\nend\n",
                "fairlead staged 1\nhandle=v\nend\n",
                "fairlead staged 1\nhandle=v%\nend\n",
                "fairlead staged 1\nno sign\nend\n"
            })
    void a_file_that_cannot_be_read_is_an_error_and_stays(String text) throws IOException {
        journal().write(entry(HANDLE), work);
        Path file = file();
        Files.writeString(file, text);

        assertThatThrownBy(() -> journal().of(HANDLE))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining(file.toString());
        assertThat(journal().inventory().entries()).isEmpty();
        assertThat(journal().inventory().unreadable())
                .singleElement()
                .satisfies(it -> assertThat(it.place()).isEqualTo(file.toString()));
        assertThat(file).hasContent(text);
    }

    @Test
    void a_cut_file_a_link_and_one_of_another_volume_are_errors() throws IOException {
        journal().write(entry(HANDLE), work);
        Path file = file();
        String whole = Files.readString(file);
        for (int length = 1; length < whole.length() - 1; length += 7) {
            Files.writeString(file, whole.substring(0, length));
            assertThatThrownBy(() -> journal().of(HANDLE)).isInstanceOf(StorageException.class);
        }
        Files.writeString(file, whole.replace("pvc-1", "pvc-2"));
        assertThatThrownBy(() -> journal().of(HANDLE)).hasMessageContaining("pvc-2");

        Files.delete(file);
        Files.createSymbolicLink(file, Files.writeString(folder.resolve("elsewhere"), whole));
        assertThatThrownBy(() -> journal().of(HANDLE)).isInstanceOf(StorageException.class);
        assertThat(journal().inventory().unreadable()).hasSize(1);
    }

    @Test
    void an_entry_in_the_file_of_another_volume_is_told_and_not_taken_for_either() throws IOException {
        journal().write(entry(HANDLE), work);
        Path file = file();
        Files.writeString(file, Files.readString(file).replace("pvc-1", "pvc-2"));

        Inventory all = journal().inventory();

        assertThat(all.entries()).isEmpty();
        assertThat(all.unreadable())
                .singleElement()
                .satisfies(it -> assertThat(it.why()).contains("pvc-2"));
    }

    @Test
    void a_folder_that_cannot_be_listed_is_told_and_never_taken_for_an_empty_one() throws IOException {
        Path place = Files.writeString(folder.resolve("staged"), "no folder");

        assertThat(journal().inventory().entries()).isEmpty();
        assertThat(journal().inventory().unreadable())
                .singleElement()
                .satisfies(it -> assertThat(it.place()).isEqualTo(place.toString()));
    }

    @Test
    void an_entry_tells_when_it_was_written_last() throws IOException {
        assertThat(journal().written(HANDLE)).isEmpty();
        journal().write(entry(HANDLE), work);
        Instant before = Instant.parse("2026-01-02T03:04:05Z");
        Files.setLastModifiedTime(file(), FileTime.from(before));
        assertThat(journal().written(HANDLE)).contains(before);

        journal().write(entry(HANDLE), work);

        assertThat(journal().written(HANDLE).orElseThrow()).isAfter(before);
    }

    @Test
    void what_could_not_be_read_again_is_not_written() {
        Entry large = new Entry(
                HANDLE,
                Path.of("/kubelet/a/globalmount"),
                new Attachment.Iscsi("10.0.0.1:3260", List.of(" ".repeat(64 << 10)), "", "iqn.x:a", 3),
                false,
                Map.of(),
                Optional.empty());

        assertThatThrownBy(() -> journal().write(large, work)).isInstanceOf(StorageException.class);

        assertThat(journal().inventory()).isEqualTo(new Inventory(List.of(), List.of()));
        assertThat(journal().of(HANDLE)).isEmpty();
    }
}
