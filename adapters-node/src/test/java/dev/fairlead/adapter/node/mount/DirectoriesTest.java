package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoriesTest {
    private final TestWork work = TestWork.patient();
    private final Directories directories = new Directories(MountSandbox.threads());

    @TempDir
    Path base;

    @Test
    void a_directory_is_made_with_its_parents_for_its_owner_and_group() throws IOException {
        Path path = base.resolve("a/b/c");

        directories.make(path, work);
        directories.make(path, work);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rwxr-x---");
        assertThat(work.effects()).hasSize(1);
    }

    @Test
    void a_link_in_its_place_is_refused_and_one_above_is_followed() throws IOException {
        Path real = Files.createDirectory(base.resolve("real"));
        Path link = Files.createSymbolicLink(base.resolve("link"), real);

        assertThatThrownBy(() -> directories.make(link, work))
                .hasMessageContaining("symbolic link")
                .extracting("failure")
                .isInstanceOf(Failure.MountConflict.class);
        directories.make(link.resolve("below"), work);

        assertThat(real.resolve("below")).isDirectory();
    }

    @Test
    void a_file_in_its_place_is_refused() throws IOException {
        Path file = Files.createFile(base.resolve("file"));

        assertThatThrownBy(() -> directories.make(file, work))
                .extracting("failure")
                .isInstanceOf(Failure.MountConflict.class);
    }

    @Test
    void removing_what_is_empty_or_missing_is_done() throws IOException {
        Path empty = Files.createDirectory(base.resolve("empty"));
        Path placeholder = Files.createFile(base.resolve("placeholder"));

        directories.remove(empty, work);
        directories.remove(empty, work);
        directories.remove(placeholder, work);

        assertThat(base).isEmptyDirectory();
        assertThat(work.effects()).hasSize(2);
    }

    @Test
    void data_and_links_are_left_alone() throws IOException {
        Path data = Files.writeString(base.resolve("data"), "precious");
        Path full = Files.createDirectory(base.resolve("full"));
        Files.createFile(full.resolve("precious"));
        Path link = Files.createSymbolicLink(base.resolve("link"), full);

        assertThatThrownBy(() -> directories.remove(data, work)).hasMessageContaining("a file");
        assertThatThrownBy(() -> directories.remove(full, work)).hasMessageContaining("left alone");
        assertThatThrownBy(() -> directories.remove(link, work)).hasMessageContaining("a symbolic link");

        assertThat(data).exists();
        assertThat(full.resolve("precious")).exists();
        assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
    }
}
