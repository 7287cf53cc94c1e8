package dev.fairlead.adapter.zfs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
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
        assertThat(steps.failed(ended.exitCode())).hasValue(1);
        assertThat(folder.resolve("it's undone; really")).exists();
    }

    @Test
    void a_step_that_works_is_not_undone() throws Exception {
        Steps steps = undoing("true");

        Ended ended = run(steps);

        assertThat(ended).isEqualTo(new Ended(0, "first\nlast\n"));
        assertThat(folder.resolve("it's undone; really")).doesNotExist();
    }
}
