package dev.fairlead.adapter.local.directory.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.adapter.local.directory.DirectoryFixture;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeDeleteTest {
    @TempDir
    Path folder = Path.of("/nowhere");

    @Test
    void a_tree_goes_and_its_neighbours_stay() throws IOException {
        Path tree = Files.createDirectories(folder.resolve("tree/a/b/c"));
        for (int i = 0; i < 1000; i++) {
            Files.writeString(tree.resolve("file-" + i), "x");
        }
        Files.writeString(folder.resolve("neighbour"), "x");

        TreeDelete.delete(folder.resolve("tree"));

        assertThat(DirectoryFixture.names(folder)).containsExactly("neighbour");
    }

    @Test
    void links_go_and_what_they_point_to_stays() throws IOException {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "x");
        Path tree = Files.createDirectory(folder.resolve("tree"));
        Files.createSymbolicLink(tree.resolve("link"), outside);
        Files.createSymbolicLink(folder.resolve("top"), outside);

        TreeDelete.delete(tree);
        TreeDelete.delete(folder.resolve("top"));

        assertThat(DirectoryFixture.names(folder)).containsExactly("outside");
        assertThat(DirectoryFixture.names(outside)).containsExactly("precious");
    }

    @Test
    void what_is_absent_is_done() throws IOException {
        TreeDelete.delete(folder.resolve("absent"));

        assertThat(DirectoryFixture.names(folder)).isEmpty();
    }

    @Test
    void what_a_forgotten_bind_mount_shows_stays() throws Exception {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "x");
        Path point = Files.createDirectories(folder.resolve("tree/a/mounted"));
        boolean mounted = run("mount", "--bind", outside.toString(), point.toString()) == 0;
        assumeTrue(mounted, "left out: this needs the right to mount");

        try {
            assertThatThrownBy(() -> TreeDelete.delete(folder.resolve("tree")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("mounted");

            assertThat(DirectoryFixture.names(outside)).containsExactly("precious");
        } finally {
            run("umount", point.toString());
        }
        TreeDelete.delete(folder.resolve("tree"));
        assertThat(DirectoryFixture.names(folder)).containsExactly("outside");
    }

    @Test
    void it_stops_in_the_middle_once_it_is_cancelled() throws IOException {
        Path tree = Files.createDirectories(folder.resolve("tree"));
        for (int i = 0; i < 100; i++) {
            Files.writeString(tree.resolve("file-" + i), "x");
        }
        AtomicInteger asked = new AtomicInteger();

        assertThatThrownBy(() -> TreeDelete.delete(tree, () -> asked.incrementAndGet() > 50))
                .isInstanceOf(InterruptedIOException.class);

        assertThat(DirectoryFixture.names(tree)).hasSize(50);
    }

    private static int run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return process.waitFor(5, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }
}
