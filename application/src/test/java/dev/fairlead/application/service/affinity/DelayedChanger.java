package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.domain.affinity.AffinityChange;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** A changer before which something happens between the beginning of a change and its first question. */
record DelayedChanger(AffinityChanger changer, Runnable happens) implements AffinityChanger {
    @Override
    public ChangeOutcome change(AffinityChange change, Predicate<String> mayBegin) {
        happens.run();
        return changer.change(change, mayBegin);
    }

    @Override
    public List<ChangeOutcome> resume(BooleanSupplier goOn) {
        return List.of();
    }

    @Override
    public List<ChangeOutcome> strays(List<KnownVolume> all) {
        return List.of();
    }
}
