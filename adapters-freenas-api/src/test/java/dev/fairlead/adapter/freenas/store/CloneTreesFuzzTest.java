package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.simulator.profile.Profile;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random creations, snapshots, clones, promotions and deletions, by the driver and by an administrator: no deletion
 * takes what another volume, a snapshot or an administrator has, though 26 destroys clones recursively if it is asked
 * to.
 */
class CloneTreesFuzzTest {
    private static final int STEPS = 60;

    @TempDir
    private Path folder = Path.of("/nowhere");

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26_BETA", "V26"})
    void no_deletion_takes_what_is_anothers(Profile profile) {
        int seeds = Integer.getInteger("fairlead.fuzz.seeds", 10);
        int deletions = 0;
        for (int seed = 1; seed <= seeds; seed++) {
            try (var box = new SimulatedBox(profile, folder.resolve("seed" + seed))) {
                var players = new CloneTreePlayers(box, seed);
                try {
                    players.play(STEPS);
                    assertThat(players.left()).as("what is left in the end").isEmpty();
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError(
                            "release " + profile + ", seed " + seed + ": " + e.getMessage() + ", after\n  "
                                    + String.join("\n  ", players.steps()),
                            e);
                }
                deletions += players.deletions();
            }
        }
        assertThat(deletions).as("deletions that were done").isGreaterThan(seeds);
    }
}
