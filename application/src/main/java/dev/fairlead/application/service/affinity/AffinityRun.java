package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.AffinityAnnouncer;
import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.VolumeCatalog;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.ChangeRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Makes the changes that may be made now: first those that were begun before, then those of a new plan. */
public final class AffinityRun {
    /** The number of replacements that may be open; while a claim waits to be bound again, others go on. */
    private static final int MOST_OPEN = 10;

    private final VolumeCatalog catalog;
    private final AffinityChanger changer;
    private final AffinityPlanner planner;
    private final AffinityAnnouncer announcer;
    private final int most;

    /** @param most the number of volumes that one run changes at most */
    public AffinityRun(
            VolumeCatalog catalog,
            AffinityChanger changer,
            AffinityPlanner planner,
            AffinityAnnouncer announcer,
            int most) {
        this.catalog = catalog;
        this.changer = changer;
        this.planner = planner;
        this.announcer = announcer;
        this.most = most;
    }

    /** Says what one run did. */
    public record Report(AffinityPlan plan, List<ChangeOutcome> outcomes) {}

    /**
     * @param goOn says whether another volume may be begun; once it is false, the one at hand is finished, and no more
     * @throws dev.fairlead.domain.failure.StorageException if the volumes or the open changes are not known
     */
    public Report once(Duration now, BooleanSupplier goOn) {
        List<ChangeOutcome> outcomes = new ArrayList<>(changer.resume(goOn));
        outcomes.addAll(changer.strays(catalog.volumes()));
        outcomes.forEach(announcer::ended);
        long open = outcomes.stream().filter(AffinityRun::isOpen).count();
        AffinityPlan plan = planner.plan(now);
        int begun = 0;
        for (AffinityPlan.Entry entry : plan.entries()) {
            if (!goOn.getAsBoolean() || begun == most || open >= MOST_OPEN) {
                break;
            }
            entry.delay().ifPresent(delay -> announcer.waits(entry.change(), delay));
            if (entry.delay().isEmpty()) {
                ChangeOutcome outcome = changer.change(entry.change(), name -> mayBegin(entry.change(), name));
                outcomes.add(outcome);
                announcer.ended(outcome);
                open += isOpen(outcome) ? 1 : 0;
                begun += isBegun(outcome) ? 1 : 0;
            }
        }
        return new Report(plan, outcomes);
    }

    private static boolean isOpen(ChangeOutcome outcome) {
        return outcome.result() == Result.UNFINISHED;
    }

    /** Says whether anything was changed; many that cannot be changed do not keep the others waiting. */
    private static boolean isBegun(ChangeOutcome outcome) {
        return outcome.result() != Result.BLOCKED && outcome.result() != Result.ABANDONED;
    }

    private boolean mayBegin(AffinityChange change, String name) {
        return catalog.volume(name)
                .filter(volume -> ChangeRules.delay(change, volume.use()).isEmpty())
                .isPresent();
    }
}
