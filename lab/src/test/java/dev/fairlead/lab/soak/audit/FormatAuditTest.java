package dev.fairlead.lab.soak.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.lab.LabCommand;
import dev.fairlead.lab.LabCommand.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code lab/formats} says of notes that were written by hand; {@code lab/formats-test} writes them by the shim.
 */
class FormatAuditTest {
    @TempDir
    Path folder = Path.of("/nonexistent");

    private FormatAudit of(String notes, String... words) throws IOException {
        Path file = Files.writeString(folder.resolve("own-1"), notes);
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--files", file.toString()));
        return FormatAudit.of(new LabCommand("formats").end(Duration.ofMinutes(1), "", all));
    }

    private static String begun(String id, int time, String identity, String state) {
        return "begun\t%s\t%d.5\t/dev/sda\t1073741824\t%s\t%s\tfirst=zeros\tmkfs.ext4 -q /dev/sda\t.\n"
                .formatted(id, time, identity, state);
    }

    private static String ended(String id, int time, int code) {
        return "ended\t%s\t%d.5\t%d\t.\n".formatted(id, time, code);
    }

    @Test
    void blank_devices_are_counted_and_nothing_is_wrong() throws IOException {
        FormatAudit audit = of(
                begun("a", 1, "wwid=1", "blank")
                        + begun("b", 2, "wwid=2", "blank")
                        + ended("b", 3, 0)
                        + ended("a", 3, 0),
                "--at-least",
                "2");

        assertThat(audit.wrong()).isEmpty();
        assertThat(audit.table()).anyMatch(it -> it.matches("own-1 +2 +2 +0 +0 +0 +0"));
    }

    @Test
    void a_device_that_held_something_is_wrong() throws IOException {
        assertThat(of(begun("a", 1, "wwid=1", "used")).wrong())
                .singleElement()
                .satisfies(it -> assertThat(it).contains("it was not blank", "mkfs.ext4 -q /dev/sda", "wwid=1"));
    }

    @Test
    void what_a_cut_mkfs_of_the_same_device_has_left_may_be_written_over() throws IOException {
        FormatAudit audit = of(begun("a", 1, "wwid=1", "blank") + begun("b", 2, "wwid=1", "used") + ended("b", 3, 0));

        assertThat(audit.wrong()).isEmpty();
        assertThat(audit.table()).anyMatch(it -> it.startsWith("begun anew after a cut, own-1: mkfs.ext4"));
    }

    @Test
    void a_cut_mkfs_of_another_device_allows_nothing() throws IOException {
        assertThat(of(begun("a", 1, "wwid=1", "blank") + begun("b", 2, "wwid=2", "used"))
                        .wrong())
                .hasSize(1);
    }

    @Test
    void what_was_finished_is_never_made_anew() throws IOException {
        assertThat(of(begun("a", 1, "wwid=1", "blank") + ended("a", 2, 0) + begun("b", 3, "wwid=1", "blank"))
                        .wrong())
                .singleElement()
                .satisfies(it -> assertThat(it).contains("a mkfs before had finished there"));
    }

    @Test
    void who_has_noted_less_than_was_made_has_not_watched() throws IOException {
        assertThat(of(begun("a", 1, "wwid=1", "blank"), "--at-least", "2").wrong())
                .containsExactly("1 mkfs were noted, and at least 2 have run");
    }

    @Test
    void what_is_of_another_form_is_never_taken_for_nothing() throws IOException {
        assertThat(of("begun\ta\tb\t.\n").wrong())
                .singleElement()
                .satisfies(it -> assertThat(it).contains("the nodes did not tell", "own-1 noted"));
    }

    @Test
    void a_command_that_ended_for_another_reason_has_told_nothing() {
        assertThat(FormatAudit.of(new Ended("formats", List.of("own-1"), 2, "", "no such node"))
                        .wrong())
                .singleElement()
                .satisfies(it -> assertThat(it).contains("no such node"));
    }
}
