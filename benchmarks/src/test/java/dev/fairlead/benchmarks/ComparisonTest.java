package dev.fairlead.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.benchmarks.measured.Cell;
import dev.fairlead.benchmarks.measured.Results;
import dev.fairlead.benchmarks.measured.Sample;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    @Test
    void a_round_is_compared_with_the_same_round_alone() {
        Comparison compared = Comparison.of(List.of(10.0, 40.0, 12.0), List.of(5.0, 10.0, 4.0));

        assertThat(compared.ours()).isEqualTo(12);
        assertThat(compared.theirs()).isEqualTo(5);
        assertThat(compared.ratios()).containsExactly(2.0, 3.0, 4.0);
        assertThat(compared.median()).isEqualTo(3);
    }

    @Test
    void the_table_has_what_both_were_measured_at() {
        Results results = new Results();
        for (String who : List.of(PeerRounds.FAIRLEAD, PeerRounds.PEER)) {
            results.add(new Cell(PeerRounds.subject(who, "disk", "0"), "CreateVolume", 1), new Sample(100, 2, 3));
        }
        results.add(
                new Cell(PeerRounds.subject(PeerRounds.FAIRLEAD, "disk", "root"), "CreateVolume", 1),
                new Sample(100, 2, 3));

        assertThat(Comparison.markdown(results).lines())
                .hasSize(3)
                .last()
                .isEqualTo("| CreateVolume on disk, user 0, callers: 1, p50 ms | 2.00 | 2.00 | 1.00 | 1.00 to 1.00 |");
        assertThat(Reach.marks(results))
                .filteredOn(Reach::missed)
                .singleElement()
                .extracting(Reach::what)
                .isEqualTo("CreateVolume p50 at one caller, as a part of democratic-csi's, user 0");
    }

    @Test
    void without_the_peer_there_is_no_table_and_no_reach_is_told_of_it() {
        assertThat(Comparison.markdown(new Results())).isEmpty();
        assertThat(Reach.marks(new Results())).noneMatch(Reach::missed);
    }
}
