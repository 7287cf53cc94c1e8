package dev.fairlead.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.lab.report.Latencies;
import dev.fairlead.lab.soak.audit.LeftOver;
import dev.fairlead.lab.soak.audit.LeftOver.Kind;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SoakReportTest {
    @Test
    void a_step_has_the_middle_the_slow_end_and_the_longest_of_its_times_in_seconds() {
        Latencies latencies = new Latencies();
        for (int seconds = 200; seconds >= 1; seconds--) {
            latencies.add(LifeStep.RUNNING.words(), seconds * 1_000_000_000L);
        }

        assertThat(row(new SoakReport().times(latencies), "pod to running"))
                .containsExactly("200", "101.0", "199.0", "200.0");
    }

    @Test
    void a_step_that_was_never_taken_has_no_times() {
        assertThat(row(new SoakReport().times(new Latencies()), "claim to bound"))
                .containsExactly("0", "-", "-", "-");
    }

    @Test
    void lives_and_torments_are_counted_by_their_kinds() {
        Tally tally = new Tally();
        tally.add("lives", 3);
        tally.add("lives, SMB", 2);
        tally.add(TormentKind.CONTROLLER.words(), 4);

        SoakReport report = new SoakReport().counts(tally);

        assertThat(row(report, "lives")).containsExactly("3");
        assertThat(row(report, "  SMB")).containsExactly("2");
        assertThat(row(report, "  controller killed")).containsExactly("4");
        assertThat(row(report, "records lost")).containsExactly("0");
    }

    @Test
    void each_kind_that_may_be_left_is_told_also_if_nothing_is() {
        LeftOver left = new LeftOver(Kind.MOUNT, "own-1", "/a");

        SoakReport report = new SoakReport().leftOvers(List.of(left), Map.of(Kind.DATASET, 100L));

        assertThat(row(report, "mount on a node")).containsExactly("0", "1");
        assertThat(row(report, "dataset or zvol")).containsExactly("100", "0");
        assertThat(row(report, "journal entry")).containsExactly("0", "0");
    }

    private static List<String> row(SoakReport report, String what) {
        return report.lines().stream()
                .filter(line -> line.startsWith(what + "  "))
                .flatMap(line -> Stream.of(line.substring(52).strip().split(" +", -1)))
                .toList();
    }
}
