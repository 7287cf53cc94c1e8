package dev.fairlead.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.demo.Demo;
import dev.fairlead.demo.Mounting;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DemoTest {
    private static final Pattern STEP = Pattern.compile("\"event\":\"([a-z ]+)\",\"step\":\"([a-z]+)\"");

    private static final Pattern FOLDER = Pattern.compile(" in (/[^\"]*/fairlead-demo\\.[^\"]*)\"");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void it_walks_a_volume_through_its_life_and_leaves_nothing_behind() {
        Optional<String> cannotMount = Mounting.obstacle();

        int code = demo(cannotMount).run(true);

        String mounted = cannotMount.isPresent() ? "left out" : "did";
        assertThat(code).as("%s%s", text(out), text(err)).isZero();
        assertThat(steps())
                .containsExactly(
                        "begins demo",
                        "did start",
                        "did register",
                        "did create",
                        "did refuse",
                        "did connect",
                        mounted + " publish",
                        "did write",
                        "did snapshot",
                        "did write",
                        "did restore",
                        "did clone",
                        "did expand",
                        mounted + " unpublish",
                        "did delete",
                        "did stop",
                        "ended demo");
        assertThat(folder()).doesNotExist();
    }

    @Test
    void where_it_may_not_mount_it_says_so_and_shows_the_rest() {
        int code = demo(Optional.of("mounting needs root")).run(true);

        assertThat(code).as("%s%s", text(out), text(err)).isZero();
        assertThat(steps()).contains("left out publish", "did write", "did delete", "ended demo");
    }

    @Test
    void a_driver_that_does_not_start_is_a_failure_that_shows_its_log() {
        var demo = new Demo(
                stream(out), stream(err), Map.of("FAIRLEAD_LAUNCHER", "/bin/false"), false, Optional.of("not needed"));

        int code = demo.run(true);

        assertThat(code).isEqualTo(1);
        assertThat(steps()).containsExactly("begins demo", "failed start");
        assertThat(folder()).doesNotExist();
    }

    private Demo demo(Optional<String> cannotMount) {
        return new Demo(stream(out), stream(err), Map.of(), false, cannotMount);
    }

    private List<String> steps() {
        return STEP.matcher(text(out))
                .results()
                .map(match -> match.group(1) + " " + match.group(2))
                .toList();
    }

    /** The folder on which it played. */
    private Path folder() {
        var begun = FOLDER.matcher(text(out));
        assertThat(begun.find()).isTrue();
        return Path.of(begun.group(1));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
