package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.AffinityAnnouncer;
import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.VolumeCatalog;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Makes the changes that may be made now: first those that were begun before, then those of a new plan. */
public final class AffinityRun {
    private final VolumeCatalog catalog;
    private final AffinityChanger changer;
    private final AffinityPlanner planner;
    private final AffinityAnnouncer announcer;
    private final ChangeBudget budget;
    private final int mostOpen;
    private final ChangeRepetition repetition = new ChangeRepetition();
    private final ChangeAttempts attempts = new ChangeAttempts();

    /** The reasons of changes that were begun and are not finished, by the names of their volumes. */
    private final Map<String, String> reasons = new HashMap<>();

    /**
     * @param budget the attempts to change a volume that may be made
     * @param mostOpen the number of replacements that may be open; while a claim waits to be bound again, others go on
     */
    public AffinityRun(
            VolumeCatalog catalog,
            AffinityChanger changer,
            AffinityPlanner planner,
            AffinityAnnouncer announcer,
            ChangeBudget budget,
            int mostOpen) {
        this.catalog = catalog;
        this.changer = changer;
        this.planner = planner;
        this.announcer = announcer;
        this.budget = budget;
        this.mostOpen = mostOpen;
    }

    /**
     * Says what one run did.
     *
     * @param due when the next run has something to do at the latest, on the clock of the run: a placement will have
     *     settled, or the sources are asked again
     */
    public record Report(AffinityPlan plan, List<ChangeOutcome> outcomes, Optional<Duration> due) {}

    /**
     * @param goOn says whether another volume may be begun; once it is false, the one at hand is finished, and no more
     * @throws StorageException if the volumes or the open changes are not known
     */
    public Report once(Duration now, BooleanSupplier goOn) {
        List<ChangeOutcome> outcomes = new ArrayList<>();
        changer.resume(goOn).forEach(outcome -> outcomes.add(explained(outcome)));
        outcomes.addAll(changer.strays(catalog.volumes()));
        outcomes.forEach(announcer::ended);
        AffinityPlan plan = planner.plan(now);
        OpenChanges open = new OpenChanges(mostOpen);
        outcomes.stream()
                .filter(AffinityRun::isOpen)
                .forEach(one -> open.add(catalog.volume(one.volume()).flatMap(planner::group)));
        announcer.unknown(plan.unknown());
        ChangeAttempts.inTurns(plan.entries())
                .forEach(entry -> entry.delay().ifPresent(delay -> announcer.waits(entry.change(), delay)));
        boolean more = true;
        for (AffinityPlan.Entry entry : attempts.order(plan.entries())) {
            AffinityChange change = entry.change();
            if (!more || !goOn.getAsBoolean() || open.areAll()) {
                break;
            }
            Optional<ChangeOutcome> resting = attempts.resting(change, now);
            Optional<ChangeOutcome> known = obstacle(change, now).or(() -> resting.filter(AffinityRun::needsSomebody));
            if (known.isPresent()) {
                outcomes.add(known.get());
                announcer.ended(known.get());
            } else if (resting.isEmpty() && open.mayBegin(entry.group()) && budget.isLeft(now)) {
                // Each attempt counts, whatever comes of it: a server that refuses has work with it, too.
                Optional<ChangeOutcome> made = changed(change, !outcomes.isEmpty());
                more = made.isPresent();
                made.ifPresent(outcome -> {
                    reasons.put(change.volume(), change.reason());
                    ChangeOutcome explained = explained(outcome);
                    ended(change, explained, now);
                    outcomes.add(explained);
                });
                made.filter(AffinityRun::isOpen).ifPresent(_ -> open.add(Optional.of(entry.group())));
            }
        }
        reasons.keySet().retainAll(outcomes.stream().map(ChangeOutcome::volume).collect(Collectors.toSet()));
        return new Report(plan, outcomes, planner.next());
    }

    /** Returns what is said of a change without trying it: it is not to be tried now, and why; empty otherwise. */
    private Optional<ChangeOutcome> obstacle(AffinityChange change, Duration now) {
        return repetition.isTooOften(change, now) ? Optional.of(tooOften(change)) : changer.obstacle(change);
    }

    /** Returns an outcome with the reason of its change, if that was made and this process has begun it. */
    private ChangeOutcome explained(ChangeOutcome outcome) {
        if (isOpen(outcome)) return outcome;
        Optional<String> reason = Optional.ofNullable(reasons.remove(outcome.volume()));
        return reason.filter(_ -> isMade(outcome)).map(outcome::because).orElse(outcome);
    }

    private static boolean isMade(ChangeOutcome outcome) {
        return outcome.result() == Result.IN_PLACE || outcome.result() == Result.REPLACED;
    }

    private static boolean needsSomebody(ChangeOutcome outcome) {
        return outcome.result() == Result.BLOCKED;
    }

    private void ended(AffinityChange change, ChangeOutcome outcome, Duration now) {
        budget.spend();
        attempts.note(change, outcome, now);
        announcer.ended(outcome);
        if (isMade(outcome)) {
            repetition.note(change, now);
        }
    }

    private static ChangeOutcome tooOften(AffinityChange change) {
        return new ChangeOutcome(
                change.volume(),
                Result.BLOCKED,
                AffinityFinding.CHANGED_MEANWHILE,
                "the same change was made three times within an hour, and somebody has undone it each time; it is made"
                        + " again an hour after the first");
    }

    /**
     * @param some whether this round has done something already, of which is told even if no more may be changed now
     * @return empty if no more may be changed now; the next round says why
     */
    private Optional<ChangeOutcome> changed(AffinityChange change, boolean some) {
        try {
            return Optional.of(changer.change(change, name -> mayBegin(change, name)));
        } catch (StorageException e) {
            if (some) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static boolean isOpen(ChangeOutcome outcome) {
        return outcome.result() == Result.UNFINISHED;
    }

    private boolean mayBegin(AffinityChange change, String name) {
        return catalog.volume(name)
                .filter(volume -> ChangeRules.delay(change, volume.use()).isEmpty())
                .isPresent();
    }
}
