package dev.fairlead.bootstrap.serving.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostPathsFileTest {
    private static final Path ONE = Path.of("/srv/one");

    @TempDir
    Path folder = Path.of("/nowhere");

    private HostPathsFile file = HostPathsFile.besides(Path.of("/nowhere/csi.sock"));

    @BeforeEach
    void a_folder_of_one_s_own() throws IOException {
        Files.setAttribute(folder, "unix:mode", 0755);
        file = HostPathsFile.besides(folder.resolve("csi.sock"));
    }

    @Test
    void what_was_written_is_read_and_of_one_driver_alone() {
        HostPathsFile other = HostPathsFile.besides(folder.resolve("other.sock"));

        file.write(List.of(ONE, Path.of("/srv/two")));
        file.write(List.of(ONE));
        other.write(List.of(Path.of("/srv/other")));

        assertThat(file.read()).containsExactly(ONE);
        assertThat(other.read()).containsExactly(Path.of("/srv/other"));
        assertThat(folder).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void damaged_lines_are_passed_over_and_the_driver_starts() throws IOException {
        file.write(List.of(ONE));
        byte[] damaged = "/srv/\0zero\n/srv/one\nrelative\n\n/srv/../etc\n".getBytes(StandardCharsets.UTF_8);
        Files.write(file.path(), damaged);

        assertThat(new HostPaths(List.of(), Optional.of(file)).get()).containsExactly(ONE);

        Files.write(file.path(), new byte[] {(byte) 0xff, '\n', '/', 'a', '\n'});
        assertThat(file.read()).containsExactly(Path.of("/a"));
        Files.writeString(file.path(), "/srv/one\n/srv");
        assertThat(file.read()).containsExactly(ONE);
    }

    @Test
    void a_link_a_file_that_others_may_write_and_one_in_such_a_folder_are_not_believed() throws IOException {
        file.write(List.of(ONE));
        Files.setAttribute(file.path(), "unix:mode", 0666);
        assertThat(file.read()).isEmpty();

        Files.setAttribute(file.path(), "unix:mode", 0600);
        Files.setAttribute(folder, "unix:mode", 0777);
        assertThat(file.read()).isEmpty();
        Files.setAttribute(folder, "unix:mode", 01777);
        assertThat(file.read()).containsExactly(ONE);

        Path elsewhere = Files.move(file.path(), folder.resolve("elsewhere"));
        Files.createSymbolicLink(file.path(), elsewhere);
        assertThat(file.read()).isEmpty();
    }

    @Test
    void a_file_of_another_user_is_not_believed() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "left out: only root gives files away");
        file.write(List.of(ONE));

        Files.setAttribute(file.path(), "unix:uid", 12345, LinkOption.NOFOLLOW_LINKS);

        assertThat(file.read()).isEmpty();
    }

    @Test
    void a_draft_that_somebody_linked_elsewhere_is_not_followed() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "mine");
        Files.createSymbolicLink(folder.resolve("csi.sock.host-paths.new"), victim);

        file.write(List.of(ONE));

        assertThat(victim).hasContent("mine");
        assertThat(file.read()).containsExactly(ONE);
    }
}
