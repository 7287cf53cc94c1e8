package dev.fairlead.adapter.node.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.mount.BoundedDisk;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.node.StageJournal.Entry;
import dev.fairlead.application.port.out.node.StageJournal.FilesystemState;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A journal whose disk takes nothing more. */
class FullJournalTest {
    private static final Entry FIRST = entry("v:nas/pvc-1");
    private static final Entry SECOND = entry("v:nas/pvc-2");
    private static final Entry CHANGED = FIRST.with(FilesystemState.finished("xfs", Optional.empty()));

    @RegisterExtension
    private final MountSandbox sandbox = new MountSandbox();

    private final TestWork work = TestWork.patient();

    private static Entry entry(String handle) {
        return new Entry(
                handle,
                Path.of("/kubelet/a/globalmount"),
                new Attachment.Iscsi("10.0.0.1:3260", List.of(), "", "iqn.x:a", 3),
                false,
                Map.of(),
                Optional.empty());
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(it -> it.getFileName().toString()).sorted().toList();
        }
    }

    private void refused(FileJournal journal, Entry entry, Path folder, String remedy) {
        Failure failure = Failing.failure(() -> journal.write(entry, work));

        assertThat(FinalCodes.isFinal(failure)).as(failure.message()).isFalse();
        assertThat(failure.message()).contains(folder.toString(), entry.handle(), remedy);
    }

    @Test
    void a_full_disk_is_told_leaves_what_was_there_and_takes_entries_again_once_it_has_room() throws Exception {
        BoundedDisk disk = BoundedDisk.in(sandbox);
        Path folder = disk.folder().resolve("staged");
        FileJournal journal = new FileJournal(folder);
        journal.write(FIRST, work);
        List<String> before = names(folder);
        Path filling = disk.fill();

        refused(journal, CHANGED, folder, "make room");
        refused(journal, SECOND, folder, "make room");

        assertThat(names(folder)).isEqualTo(before);
        assertThat(journal.inventory().entries()).containsExactly(FIRST);
        assertThat(journal.inventory().unreadable()).isEmpty();
        Files.delete(filling);
        journal.write(CHANGED, work);
        journal.write(SECOND, work);
        assertThat(journal.inventory().entries()).containsExactlyInAnyOrder(CHANGED, SECOND);
    }

    @Test
    void an_entry_is_removed_from_a_full_disk() throws Exception {
        BoundedDisk disk = BoundedDisk.in(sandbox);
        FileJournal journal = new FileJournal(disk.folder().resolve("staged"));
        journal.write(FIRST, work);
        Path filling = disk.fill();
        Failing.failure(() -> journal.write(SECOND, work));

        journal.remove(FIRST.handle(), work);

        assertThat(names(disk.folder().resolve("staged"))).isEmpty();
        assertThat(filling).exists();
    }

    @Test
    void a_disk_that_is_read_only_is_told_and_takes_entries_again_once_it_is_not() throws Exception {
        BoundedDisk disk = BoundedDisk.in(sandbox);
        Path folder = disk.folder().resolve("staged");
        FileJournal journal = new FileJournal(folder);
        journal.write(FIRST, work);
        disk.remount("ro");

        refused(journal, CHANGED, folder, "read-only");
        Failure failure = Failing.failure(() -> journal.remove(FIRST.handle(), work));

        assertThat(FinalCodes.isFinal(failure)).isFalse();
        assertThat(journal.inventory().entries()).containsExactly(FIRST);
        disk.remount("rw");
        journal.write(CHANGED, work);
        journal.remove(FIRST.handle(), work);
        assertThat(names(folder)).isEmpty();
    }
}
