package dev.fairlead.adapter.local.directory.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.linux.FileCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy tells what it takes of its file system, beside content too. */
class CopiedRoomTest {
    @TempDir
    private Path disk;

    private final List<Boolean> made = new ArrayList<>();
    private final AtomicLong took = new AtomicLong();
    private Path source = Path.of("/nowhere");
    private Path target = source;

    @BeforeEach
    void folders() throws IOException {
        source = Files.createDirectory(disk.resolve("source"));
        target = Files.createDirectory(disk.resolve("target"));
    }

    private void copy() throws IOException {
        TreeCopy.copy(source, target, disk, new TreeCopy.Progress() {
            @Override
            public void copied(long bytes) {}

            @Override
            public void made(boolean isNew) {
                made.add(isNew);
            }

            @Override
            public void took(long bytes) {
                took.addAndGet(bytes);
            }
        });
    }

    private static long allocated(Path path) throws IOException {
        try (FileCalls calls = new FileCalls()) {
            return calls.stat(path).allocated();
        }
    }

    @Test
    void entries_are_told_a_file_and_a_long_link() throws IOException {
        Files.createLink(source.resolve("again"), Files.write(source.resolve("file"), new byte[1]));
        Files.createDirectory(source.resolve("folder"));
        Files.createSymbolicLink(source.resolve("short"), Path.of("file"));
        Files.createSymbolicLink(source.resolve("long"), Path.of("x".repeat(600)));

        copy();

        assertThat(made).containsExactlyInAnyOrder(true, false, true, true, true);
        assertThat(took)
                .hasValue(Math.min(4096, allocated(target.resolve("file")))
                        + Math.min(4096, allocated(target.resolve("long"))));
    }

    @Test
    void long_names_take_room_in_their_folder() throws IOException {
        for (int i = 100; i < 200; i++) {
            Files.createFile(source.resolve(i + "x".repeat(197)));
        }

        copy();

        assertThat(took).hasValue(Math.min(100 * 208, allocated(target)));
    }

    /** An attribute without a value takes its name, and a file of many such ones a block of its own. */
    @Test
    void names_of_extended_attributes_take_room() throws IOException {
        Path file = Files.createFile(source.resolve("file"));
        assumeTrue(Files.getFileStore(source).supportsFileAttributeView(UserDefinedFileAttributeView.class));
        var view = Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
        for (int i = 10; i < 20; i++) {
            view.write(i + "x".repeat(198), ByteBuffer.allocate(0));
        }

        copy();

        assertThat(took).hasValue(Math.min(4096, allocated(target.resolve("file"))));
    }
}
