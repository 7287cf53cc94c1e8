package dev.fairlead.application.service.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.AffinityAnnouncer;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.PlanLimit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes of a change that somebody undoes again and again. */
class ChangeRepetitionTest {
    private final StagedCluster cluster = new StagedCluster();
    private final StagedSource source = new StagedSource();
    private final AffinityRun run = new AffinityRun(
            cluster,
            cluster,
            new AffinityPlanner(
                    cluster,
                    List.of(source),
                    _ -> Optional.empty(),
                    ChangeRules.USUAL,
                    PlanLimit.USUAL,
                    Set.of(),
                    SourceRounds.ofAll(List.of(source), Thread.ofVirtual().factory())),
            AffinityAnnouncer.NONE,
            new ChangeBudget(50, Duration.ofSeconds(15)),
            10);

    @Test
    void a_change_that_is_undone_each_time_is_left_to_a_person_after_three_times_in_an_hour() {
        source.at("pv-1", "a", "b");
        for (int at = 0; at < 3; at++) {
            assertThat(round(at)).extracting(ChangeOutcome::result).containsExactly(Result.REPLACED);
        }

        List<ChangeOutcome> fourth = round(4);

        assertThat(fourth).extracting(ChangeOutcome::result).containsExactly(Result.BLOCKED);
        assertThat(fourth.getFirst().finding()).contains(AffinityFinding.CHANGED_MEANWHILE);
        assertThat(cluster.changed()).hasSize(3);
        assertThat(round(3_700)).extracting(ChangeOutcome::result).containsExactly(Result.REPLACED);
    }

    @Test
    void a_storage_that_moves_a_volume_to_and_fro_repeats_nothing() {
        for (int at = 0; at < 6; at++) {
            source.at("pv-1", "a", at % 2 == 0 ? "b" : "c");
            assertThat(round(at)).extracting(ChangeOutcome::result).containsExactly(Result.REPLACED);
        }
    }

    /** Runs a round over a volume that somebody has just given its former affinity back. */
    private List<ChangeOutcome> round(int seconds) {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        return run.once(Duration.ofSeconds(seconds), () -> true).outcomes();
    }
}
