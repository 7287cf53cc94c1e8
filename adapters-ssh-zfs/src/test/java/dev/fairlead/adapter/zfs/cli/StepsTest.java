package dev.fairlead.adapter.zfs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real shell makes of steps that undo themselves. */
class StepsTest {
    @TempDir
    private Path folder = Path.of("unset");

    private record Ended(int exitCode, String output) {}

    private Ended run(Steps steps) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(steps.argv())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    private static Steps undoing(String command) {
        return new Steps()
                .then(List.of("echo", "first"))
                .undoing(
                        List.of(command),
                        List.of(List.of("touch", "it's undone; really"), List.of("false"), List.of("echo", "undone")))
                .then(List.of("echo", "last"));
    }

    @Test
    void a_step_that_fails_is_undone_and_the_rest_is_not_begun() throws Exception {
        Steps steps = undoing("false");

        Ended ended = run(steps);

        assertThat(ended.output()).isEqualTo("first\nundone\n");
        assertThat(steps.failed(ended.exitCode()).orElseThrow().number()).isEqualTo(1);
        assertThat(folder.resolve("it's undone; really")).exists();
    }

    private enum Named implements Steps.Part {
        CHECKS,
        CHANGE
    }

    @Test
    void a_step_that_fails_is_told_by_the_part_that_it_is_of() throws Exception {
        Steps checks = new Steps().then(List.of("true")).then(List.of("sh", "-c", "exit $(cat check)"));
        Steps steps = new Steps()
                .and(Named.CHECKS, checks)
                .then(Named.CHANGE, List.of("sh", "-c", "exit $(cat change)"))
                .then(List.of("false"));

        Files.writeString(folder.resolve("check"), "1");
        Files.writeString(folder.resolve("change"), "1");
        assertThat(part(steps)).contains(Named.CHECKS);
        Files.writeString(folder.resolve("check"), "0");
        assertThat(part(new Steps().and(steps))).contains(Named.CHANGE);
        Files.writeString(folder.resolve("change"), "0");
        assertThat(part(steps)).isEmpty();
    }

    private Optional<Steps.Part> part(Steps steps) throws Exception {
        return steps.failed(run(steps).exitCode()).orElseThrow().part();
    }

    private int failed(Steps steps) throws Exception {
        return steps.failed(run(steps).exitCode()).orElseThrow().number();
    }

    @Test
    void any_number_of_looks_are_one_step_that_fails_where_one_of_them_does() throws Exception {
        List<Steps> looks = IntStream.range(0, 200)
                .mapToObj(i -> new Steps().without(List.of("echo", "line " + i), "line 150"))
                .toList();
        Steps all = new Steps().then(List.of("true")).together(looks).then(List.of("echo", "last"));

        assertThat(failed(all)).isEqualTo(1);
        Steps some = new Steps().together(looks.subList(0, 150)).then(List.of("echo", "last"));
        assertThat(run(some).output()).isEqualTo("last\n");
        assertThat(new Steps().together(List.of()).isEmpty()).isTrue();
    }

    @Test
    void a_command_is_left_out_where_the_look_before_it_prints_anything() throws Exception {
        Steps printing = new Steps().thenUnless(List.of("echo", "it's so"), List.of("touch", "not this"));
        Steps silent = new Steps().thenUnless(List.of("true"), List.of("touch", "but this"));
        Steps failing = new Steps().then(List.of("true")).thenUnless(List.of("false"), List.of("touch", "nor this"));
        Steps refused = new Steps().thenUnless(List.of("true"), List.of("false"));

        assertThat(run(printing).exitCode()).isZero();
        assertThat(run(silent).exitCode()).isZero();
        assertThat(failed(failing)).isEqualTo(1);
        assertThat(failed(refused)).isZero();
        assertThat(folder.toFile().list()).containsExactly("but this");
    }

    @Test
    void what_a_command_prints_is_held_to_what_is_expected_of_it() throws Exception {
        List<String> prints = List.of("printf", "%s\n", "it's\t%s", "-");
        List<String> same = List.of("it's\t%s", "-");
        List<String> other = List.of("it's\t%s", "--");

        assertThat(run(expecting(prints, List.of(same))).exitCode()).isZero();
        assertThat(run(expecting(prints, List.of(other, same))).exitCode()).isZero();
        assertThat(failed(expecting(prints, List.of(other)))).isZero();
        assertThat(run(expecting(List.of("false"), List.of(List.of("")))).exitCode())
                .isNotZero();
    }

    @Test
    void what_a_command_prints_instead_is_the_end_of_the_complaint() throws Exception {
        Steps steps = new Steps()
                .expect(
                        List.of("printf", "%s\n", "it's %s"),
                        List.of(List.of("a"), List.of("b")),
                        "it isn't 'a' %s, but ")
                .then(List.of("true"));

        assertThat(failed(steps)).isZero();
        assertThat(run(steps).output()).isEqualTo("it isn't 'a' %s, but it's %s\n");
        assertThat(run(new Steps().expect(List.of("echo", "b"), List.of(List.of("a"), List.of("b")), "no: "))
                        .exitCode())
                .isZero();
    }

    private static Steps expecting(List<String> command, List<List<String>> texts) {
        return new Steps().expect(command, texts).then(List.of("true"));
    }

    @Test
    void lines_are_held_to_those_that_are_expected_in_whatever_order() throws Exception {
        List<String> prints = List.of("printf", "%s\n", "snap-z", "Übung", "it's -e", "", "snap-a", "snap-z");
        List<String> same = List.of("it's -e", "snap-a", "snap-z", "snap-z", "Übung", "");

        assertThat(run(anyOrder(prints, same)).exitCode()).isZero();
        assertThat(run(anyOrder(List.of("true"), List.of())).exitCode())
                .as("nothing of nothing")
                .isZero();
        assertThat(failed(anyOrder(prints, same.subList(1, same.size())))).isZero();
        assertThat(failed(anyOrder(prints, List.of("it's -e", "snap-a", "snap-a", "snap-z", "Übung", ""))))
                .isZero();
        assertThat(failed(anyOrder(List.of("true"), List.of("snap-a")))).isZero();
        assertThat(failed(anyOrder(List.of("echo", "snap-a"), List.of()))).isZero();
        assertThat(failed(anyOrder(List.of("false"), List.of()))).isZero();
        List<String> many =
                IntStream.range(0, 20_000).mapToObj(Integer::toString).toList();
        assertThat(run(anyOrder(List.of("seq", "0", "19999"), many)).exitCode()).isZero();
    }

    private static Steps anyOrder(List<String> command, List<String> lines) {
        return new Steps().expectInAnyOrder(command, lines).then(List.of("true"));
    }

    @Test
    void what_a_command_prints_is_looked_through_for_a_line() throws Exception {
        List<String> prints = List.of("printf", "%s\n", "one", "it's two", "-e");

        assertThat(run(new Steps().without(prints, "three")).exitCode()).isZero();
        assertThat(run(new Steps().without(prints, "one")).exitCode()).isEqualTo(64);
        assertThat(run(new Steps().without(prints, "it's two")).exitCode()).isEqualTo(64);
        assertThat(run(new Steps().without(prints, "-e")).exitCode()).isEqualTo(64);
        assertThat(run(new Steps().without(prints, "o.e")).exitCode()).isZero();
        assertThat(run(new Steps().without(prints, "nothing\none")).exitCode())
                .as("of a name of several lines, one is enough to look again")
                .isEqualTo(64);
        assertThat(run(new Steps().without(List.of("false"), "three")).exitCode())
                .as("what cannot be looked through")
                .isEqualTo(64);
        assertThat(run(new Steps().then(List.of("export", "PATH=/none")).without(List.of("/bin/echo", "one"), "one"))
                        .exitCode())
                .as("without a grep")
                .isEqualTo(65);
    }

    @Test
    void what_is_not_there_lacks_every_line() throws Exception {
        List<String> prints = List.of("echo", "one");
        List<String> fails = List.of("false");

        assertThat(run(new Steps().withoutIn(fails, fails, "one")).exitCode()).isZero();
        assertThat(run(new Steps().withoutIn(prints, fails, "one")).exitCode())
                .as("there, and not to be looked through")
                .isEqualTo(64);
        assertThat(run(new Steps().withoutIn(prints, prints, "one")).exitCode()).isEqualTo(64);
        assertThat(run(new Steps().withoutIn(prints, prints, "two")))
                .as("nothing of it is printed")
                .isEqualTo(new Ended(0, ""));
    }

    @Test
    void a_step_that_works_is_not_undone() throws Exception {
        Steps steps = undoing("true");

        Ended ended = run(steps);

        assertThat(ended).isEqualTo(new Ended(0, "first\nlast\n"));
        assertThat(folder.resolve("it's undone; really")).doesNotExist();
    }
}
