package dev.fairlead.adapter.zfs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.zfs.property.Property;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real shell makes of a look at a file. */
class FileLinesTest {
    private static final List<String> PATTERN = List.of("-F", "-e", "/it's one\t");

    @TempDir
    private Path folder = Path.of("unset");

    private record Ended(int exitCode, String output) {}

    private static Ended run(Steps steps) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(steps.argv()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    private static Property row(Ended ended) throws Rows.UnreadableException {
        assertThat(ended.exitCode()).isZero();
        return Optional.ofNullable(Rows.read(ended.output(), List.of("x:found")).get("tank/a b"))
                .map(rows -> rows.get("x:found"))
                .orElseThrow();
    }

    private static Steps look(Path file, Elevation asRoot) {
        return new Steps().row("tank/a b", "x:found", new FileLines(file.toString(), PATTERN, asRoot));
    }

    private Path written(String text) throws IOException {
        return Files.writeString(folder.resolve("it's a file"), text);
    }

    /** Stands for sudo: says so, and runs what follows its switches, or does not. */
    private Elevation sudo(String line) throws IOException {
        Path sudo = Files.writeString(folder.resolve("sudo"), "#!/bin/sh\nshift 2\n" + line + "\n");
        assertThat(sudo.toFile().setExecutable(true)).isTrue();
        return Elevation.by(sudo.toString());
    }

    @Test
    void lines_are_printed_as_a_property_with_all_that_is_in_them() throws Exception {
        Path file = written("/it's one\t10.0.0.1(rw)\n/two\t*(rw)\n/it's one\t10.0.0.2(ro)\n");

        Property row = row(run(look(file, Elevation.NONE)));

        assertThat(row).isEqualTo(new Property("/it's one\t10.0.0.1(rw)\n/it's one\t10.0.0.2(ro)", "host"));
    }

    @Test
    void there_are_none_where_there_is_no_file_or_no_folder() throws Exception {
        Path file = written("/two\t*(rw)\n");

        for (Path each : List.of(file, folder.resolve("none"), folder.resolve("none/none"))) {
            assertThat(row(run(look(each, Elevation.NONE)))).isEqualTo(new Property("", "host"));
        }
    }

    @Test
    void what_is_out_of_the_users_reach_is_looked_at_by_root() throws Exception {
        Path out = folder.resolve("none/none"); // root alone would know

        Property row = row(run(look(out, sudo("echo \"/it's one\t$# words\""))));

        assertThat(row.value()).isEqualTo("/it's one\t6 words");
    }

    @Test
    void a_user_who_may_not_look_does_not_find_nothing() throws Exception {
        Path out = folder.resolve("none/none");

        Ended ended = run(look(out, sudo("echo 'sudo: a password is required' >&2; exit 1")));

        assertThat(ended.exitCode()).isEqualTo(64);
        assertThat(Complaint.of(ended.output())).isEqualTo(Complaint.NOT_PERMITTED);
    }

    @Test
    void other_lines_than_the_one_that_may_be_there_end_the_steps_and_are_said() throws Exception {
        Path file = written("/it's one\tours\n");
        FileLines lines = new FileLines(file.toString(), PATTERN, Elevation.NONE);
        FileLines none = new FileLines(folder.resolve("none").toString(), PATTERN, Elevation.NONE);

        assertThat(run(new Steps().noneBut(none, Optional.empty()))).isEqualTo(new Ended(0, ""));
        assertThat(run(new Steps().noneBut(lines, Optional.of("/it's one\tours"))))
                .isEqualTo(new Ended(0, ""));
        assertThat(run(new Steps().noneBut(lines, Optional.empty()).then(List.of("echo", "on"))))
                .isEqualTo(new Ended(64, "/it's one\tours\n"));
        assertThat(run(new Steps().noneBut(lines, Optional.of("/it's one\ttheirs"))))
                .isEqualTo(new Ended(64, "/it's one\tours\n"));
    }

    @Test
    void what_keeps_one_line_is_removed_and_what_keeps_another_is_not() throws Exception {
        Path file = written("/it's one\tours\n");
        FileLines lines = new FileLines(file.toString(), PATTERN, Elevation.NONE);
        List<String> removal = List.of("rm", file.toString());

        assertThat(run(new Steps().removeWhere(lines, "/it's one\ttheirs", removal)))
                .isEqualTo(new Ended(0, ""));
        assertThat(file).exists();
        assertThat(run(new Steps()
                        .removeWhere(lines, "/it's one\tours", List.of("sh", "-c", "echo not I >&2; exit 1"))
                        .then(List.of("echo", "on"))))
                .isEqualTo(new Ended(64, "not I\n"));
        assertThat(run(new Steps()
                        .removeWhere(lines, "/it's one\tours", removal)
                        .then(List.of("echo", "on"))))
                .isEqualTo(new Ended(0, "on\n"));
        assertThat(file).doesNotExist();
        assertThat(run(new Steps().removeWhere(lines, "/it's one\tours", removal)))
                .isEqualTo(new Ended(0, ""));
    }
}
