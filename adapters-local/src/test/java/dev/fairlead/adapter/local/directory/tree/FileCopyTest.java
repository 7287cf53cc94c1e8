package dev.fairlead.adapter.local.directory.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy takes the blocks that its file system gives it. */
class FileCopyTest {
    private static final int MIB = 1 << 20;

    @TempDir(factory = InMemory.class)
    Path folder;

    private final AtomicLong took = new AtomicLong();
    private final AtomicLong untold = new AtomicLong();

    private final TreeCopy.Progress progress = new TreeCopy.Progress() {
        @Override
        public void copied(long bytes) {}

        @Override
        public void holesUntold(long bytes) {
            untold.addAndGet(bytes);
        }

        @Override
        public void took(long bytes) {
            took.addAndGet(bytes);
        }
    };

    private static FileStat with(FileStat stat, long allocated) {
        return new FileStat(
                stat.mode(),
                stat.links(),
                stat.user(),
                stat.group(),
                stat.inode(),
                stat.size(),
                allocated,
                stat.seconds(),
                stat.nanos(),
                stat.device(),
                stat.filesystem(),
                stat.mount(),
                stat.born());
    }

    @Test
    void blocks_count_and_not_what_was_written_or_is_held_ready_for_more() throws IOException {
        Files.write(folder.resolve("source"), new byte[MIB]);
        try (FileCalls calls = new FileCalls();
                FileCopy copy = new FileCopy(calls, progress)) {
            int open = calls.openFolder(folder);
            int source = calls.openFile(open, "source".getBytes(UTF_8));
            int target = calls.createFile(open, "target".getBytes(UTF_8));

            copy.copy(source, calls.stat(source), target);
            FileStat stat = calls.stat(target);
            assertThat(untold).hasValue(0);
            assertThat(took).hasValue(MIB);

            copy.copy(source, with(stat, 64 << 10), target);
            assertThat(untold).hasValue(MIB - (64 << 10));
            took.set(MIB);
            copy.take(with(stat, 64 << 10), 0);
            assertThat(took).as("of a file system that compresses").hasValue(64 << 10);
            copy.take(with(stat, 8L * MIB), 4096);
            assertThat(took).as("of one that holds blocks ready").hasValue(MIB + 4096);

            calls.closeFile(target);
            calls.closeFile(source);
            calls.closeFile(open);
        }
    }
}
