package dev.fairlead.testkit.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Plays random sequences of calls on a new, empty controller each, and compares every answer with the model. A sequence
 * that fails is reduced to the steps that it takes to fail, and reported with its seed.
 */
public final class CallFuzz {
    private static final int MOST_SHRINKING_RUNS = 400;

    private final Supplier<? extends CsiCalls> controllers;
    private final boolean snapshotsHoldVolumes;

    /**
     * @param controllers gives a controller over empty storage at each call
     * @param snapshotsHoldVolumes whether a volume cannot be deleted while it has snapshots
     */
    public CallFuzz(Supplier<? extends CsiCalls> controllers, boolean snapshotsHoldVolumes) {
        this.controllers = controllers;
        this.snapshotsHoldVolumes = snapshotsHoldVolumes;
    }

    /** Plays so many steps of this seed. */
    public void play(long seed, int count) {
        List<Step> steps = RandomSteps.of(seed, count);
        steps.add(new Step.LookAtAll());
        Optional<Throwable> failure = failure(steps);
        if (failure.isPresent()) {
            List<Step> few = shrunk(steps);
            Throwable cause = failure(few).orElse(failure.get());
            throw new AssertionError(
                    "seed %d fails, and so do these %d of its %d steps:%n  %s%nsince the last one: %s"
                            .formatted(
                                    seed,
                                    few.size(),
                                    steps.size(),
                                    few.stream().map(Step::toString).collect(Collectors.joining("\n  ")),
                                    cause),
                    cause);
        }
    }

    private Optional<Throwable> failure(List<Step> steps) {
        CsiCalls calls = controllers.get();
        CsiModel model = new CsiModel(snapshotsHoldVolumes);
        for (Step step : steps) {
            try {
                step.play(calls, model);
            } catch (RuntimeException | AssertionError e) {
                return Optional.of(e);
            }
        }
        return Optional.empty();
    }

    /** Leaves out ever smaller runs of steps for as long as the rest still fails. */
    private List<Step> shrunk(List<Step> failing) {
        List<Step> steps = failing;
        int runs = 0;
        for (int chunk = Math.max(1, steps.size() / 2); chunk >= 1; chunk = chunk == 1 ? 0 : chunk / 2) {
            for (int from = 0; from < steps.size() && runs < MOST_SHRINKING_RUNS; ) {
                List<Step> without = new ArrayList<>(steps.subList(0, from));
                without.addAll(steps.subList(Math.min(steps.size(), from + chunk), steps.size()));
                runs++;
                if (failure(without).isPresent()) {
                    steps = without;
                } else {
                    from += chunk;
                }
            }
        }
        return steps;
    }
}
