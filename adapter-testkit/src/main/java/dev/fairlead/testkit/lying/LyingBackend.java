package dev.fairlead.testkit.lying;

import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.crash.CrashPoints.Count;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.crash.Interference;
import dev.fairlead.testkit.crash.Trial;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * Tries every lie in every scenario: for each effect, storage that says it was done and did not do it, or that did it
 * and says that it timed out. The call never answers OK unless the world is as after a clean run, and once the storage
 * is honest again, a retry heals everything.
 */
public final class LyingBackend<S> {
    private static final Logger log = System.getLogger(LyingBackend.class.getName());
    private static final List<Interference> LIES = List.of(Interference.LIE, Interference.TIMEOUT_AFTER_EFFECT);

    private final CrashFixture<S> crashFixture;
    private final List<Count> counts = new ArrayList<>();

    public LyingBackend(CrashFixture<S> crashFixture) {
        this.crashFixture = crashFixture;
    }

    /** Tries a scenario; fails, naming the scenario and the effect, if a lie was believed. */
    public LyingBackend<S> seeThrough(CrashScenario<S> scenario) {
        Trial<S> trial = new Trial<>(crashFixture, scenario);
        for (Interference lie : LIES) {
            for (int effect = 1; effect <= trial.effects(); effect++) {
                trial.interfere(lie, effect);
            }
        }
        Count count = new Count(scenario.name(), trial.effects(), LIES.size() * trial.effects());
        counts.add(count);
        log.log(Level.INFO, "lies in {0}: {1} effects, {2} runs", count.scenario(), count.effects(), count.runs());
        return this;
    }

    public List<Count> counts() {
        return List.copyOf(counts);
    }
}
