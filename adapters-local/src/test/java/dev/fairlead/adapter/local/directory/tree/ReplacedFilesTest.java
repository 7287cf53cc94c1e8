package dev.fairlead.adapter.local.directory.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.InMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of several names that give way to others while their tree is copied. */
class ReplacedFilesTest {
    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private Path source = folder;
    private Path target = folder;

    @BeforeEach
    void folders() throws IOException {
        source = Files.createDirectory(folder.resolve("source"));
        target = Files.createDirectory(folder.resolve("target"));
    }

    /** A file system gives the inode number of a deleted file to the next one, as ext4 does at once. */
    @Test
    void a_file_with_the_inode_number_of_a_deleted_one_keeps_its_own_content(@TempDir Path disk) throws Exception {
        Path from = Files.createDirectory(disk.resolve("source"));
        Path to = Files.createDirectory(disk.resolve("target"));
        Path later = Files.createDirectory(from.resolve("later"));
        Path first = Files.writeString(from.resolve("first"), "of the first");
        Path second = Files.createLink(from.resolve("second"), first);
        AtomicBoolean replaced = new AtomicBoolean();

        TreeCopy.copy(from, to, disk, _ -> {
            boolean copied = Files.exists(to.resolve("first")) && Files.exists(to.resolve("second"));
            if (copied && replaced.compareAndSet(false, true)) {
                replace(List.of(first, second), later);
            }
        });

        assertThat(replaced).isTrue();
        assertThat(to.resolve("later/mail")).hasContent("of the mail");
        assertThat(to.resolve("first")).hasContent("of the first");
    }

    private static void replace(List<Path> names, Path folder) {
        try {
            for (Path name : names) {
                Files.delete(name);
            }
            Thread.sleep(20); // the kernel's clock for files moves on by then
            Files.createLink(folder.resolve("link"), Files.writeString(folder.resolve("mail"), "of the mail"));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As an editor does that writes a file anew beside it, while the file's other names stay. */
    @Test
    void the_other_names_of_a_file_that_is_replaced_meanwhile_keep_their_content() throws Exception {
        Path staying = Files.writeString(source.resolve("staying"), "as it was");
        Files.createLink(source.resolve("also-staying"), staying);
        Path replaced = Files.createLink(source.resolve("replaced"), staying);
        Path news = Files.writeString(folder.resolve("news"), "written anew");
        AtomicBoolean done = new AtomicBoolean();
        Thread program = Thread.ofPlatform().start(() -> exchange(replaced, List.of(news, staying), done));
        try {
            for (int i = 0; i < 500; i++) {
                TreeCopy.copy(source, target, folder, _ -> {});

                assertThat(target.resolve("staying")).hasContent("as it was");
                assertThat(target.resolve("also-staying")).hasContent("as it was");
                TreeDelete.delete(target);
                Files.createDirectory(target);
            }
        } finally {
            done.set(true);
            program.join();
        }
    }

    private void exchange(Path name, List<Path> contents, AtomicBoolean done) {
        Path beside = folder.resolve("beside");
        try {
            while (!done.get()) {
                for (Path content : contents) {
                    Files.createLink(beside, content);
                    Files.move(beside, name, StandardCopyOption.ATOMIC_MOVE);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
