package dev.fairlead.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class NarratorsTest {
    @Test
    void a_program_gets_an_object_a_line() {
        String told = told(JsonNarrator::new);

        assertThat(told.lines())
                .containsExactly(
                        "{\"number\":0,\"event\":\"begins\",\"step\":\"demo\",\"text\":\"in \\\"/tmp\\\"\"}",
                        "{\"number\":1,\"event\":\"did\",\"step\":\"create\",\"text\":\"made\",\"volume\":\"v:a/1\",\"ms\":\"12\"}",
                        "{\"number\":2,\"event\":\"left out\",\"step\":\"publish\",\"text\":\"no root\"}",
                        "{\"number\":3,\"event\":\"failed\",\"step\":\"delete\",\"text\":\"still there\"}",
                        "{\"number\":4,\"event\":\"ended\",\"step\":\"demo\",\"text\":\"nothing is left behind\",\"ms\":\"1500\"}");
    }

    @Test
    void a_human_without_a_terminal_gets_plain_text() {
        String told = told(out -> new TextNarrator(out, false));

        assertThat(told)
                .doesNotContain("\u001b")
                .contains(
                        " 1  create    made  12 ms\n",
                        " 2  publish   left out: no root\n",
                        " 3  delete    FAILED: still there\n")
                .contains("./fairlead --help");
    }

    @Test
    void a_human_at_a_terminal_gets_colour() {
        assertThat(told(out -> new TextNarrator(out, true))).contains("\u001b[32mcreate   \u001b[0m");
    }

    @Test
    void a_table_is_as_wide_as_its_cells_and_a_program_gets_an_object_a_row() {
        assertThat(table(out -> new TextNarrator(out, false)))
                .contains("    pod    volume-of-it\n    one    1\n    two-2  2\n");
        assertThat(table(JsonNarrator::new).lines())
                .contains("{\"number\":1,\"event\":\"row\",\"step\":\"table\",\"text\":\"two-2\","
                        + "\"pod\":\"two-2\",\"volume-of-it\":\"2\"}");
    }

    private static String table(Function<PrintStream, Narrator> narrators) {
        var bytes = new ByteArrayOutputStream();
        var narrator = narrators.apply(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        narrator.table(List.of("pod", "volume-of-it"), List.of(List.of("one", "1"), List.of("two-2", "2")));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String told(Function<PrintStream, Narrator> narrators) {
        var bytes = new ByteArrayOutputStream();
        var narrator = narrators.apply(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        narrator.begins("in \"/tmp\"");
        narrator.did("create", "made", Map.of("volume", "v:a/1"), Duration.ofMillis(12));
        narrator.leftOut("publish", "no root");
        narrator.failed("delete", "still there");
        narrator.ended(Duration.ofMillis(1500));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
