package dev.fairlead.testkit.crash;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * Tries every crash point of every scenario: for each effect, death before it and after it, the caller gone before it,
 * and a timeout with and without it; each time in a fresh world, with a restart and a retry after it.
 */
public final class CrashPoints<S> {
    private static final Logger log = System.getLogger(CrashPoints.class.getName());
    private static final List<Interference> KINDS = List.of(
            Interference.DEATH_BEFORE,
            Interference.DEATH_AFTER,
            Interference.CANCELLED_BEFORE,
            Interference.TIMEOUT_WITHOUT_EFFECT,
            Interference.TIMEOUT_AFTER_EFFECT);

    private final CrashFixture<S> crashFixture;
    private final List<Interference> kinds;
    private final List<Count> counts = new ArrayList<>();

    /** Tells how many effects a scenario had, and how many runs with interference it took. */
    public record Count(String scenario, int effects, int runs) {}

    public CrashPoints(CrashFixture<S> crashFixture) {
        this(crashFixture, KINDS);
    }

    /** Tries only these kinds of interference, for a world in which a run takes long. */
    public CrashPoints(CrashFixture<S> crashFixture, List<Interference> kinds) {
        this.crashFixture = crashFixture;
        this.kinds = List.copyOf(kinds);
    }

    /**
     * Tries a scenario; fails, naming the scenario, the interference and the effect, if the world is not as after a
     * clean run.
     */
    public CrashPoints<S> survive(CrashScenario<S> scenario) {
        Trial<S> trial = new Trial<>(crashFixture, scenario);
        for (Interference kind : kinds) {
            for (int effect = 1; effect <= trial.effects(); effect++) {
                trial.interfere(kind, effect);
            }
        }
        Count count = new Count(scenario.name(), trial.effects(), kinds.size() * trial.effects());
        counts.add(count);
        log.log(
                Level.INFO,
                "crash points of {0}: {1} effects, {2} runs",
                count.scenario(),
                count.effects(),
                count.runs());
        return this;
    }

    public List<Count> counts() {
        return List.copyOf(counts);
    }
}
