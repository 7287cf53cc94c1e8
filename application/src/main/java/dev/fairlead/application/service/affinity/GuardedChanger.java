package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.OtherController;
import dev.fairlead.application.port.out.placement.VolumeCatalog;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Changes nothing while another controller lives, and ends what that one has begun before anything else is changed. A
 * volume of which the other has kept something is left alone until that is ended.
 */
public final class GuardedChanger implements AffinityChanger {
    private final AffinityChanger changer;
    private final OtherController other;
    private final SavedVolumeRun saved;
    private final VolumeCatalog catalog;
    private final Predicate<String> drivers;

    /** @param drivers says the volumes of which CSI drivers the other controller changes */
    public GuardedChanger(
            AffinityChanger changer,
            OtherController other,
            SavedVolumeRun saved,
            VolumeCatalog catalog,
            Predicate<String> drivers) {
        this.changer = changer;
        this.other = other;
        this.saved = saved;
        this.catalog = catalog;
        this.drivers = drivers;
    }

    /** @throws StorageException if the other controller lives, or if that is not known */
    @Override
    public List<ChangeOutcome> resume(BooleanSupplier goOn) {
        // What it writes is known once the volumes are; until then this throws.
        catalog.volumes();
        refuseWhileAlive();
        BooleanSupplier alone = () -> goOn.getAsBoolean() && isAlone();
        List<ChangeOutcome> outcomes = new ArrayList<>(changer.resume(alone));
        outcomes.addAll(saved.once(changer, goOn, this::isAlone));
        // What was done is told in any case; each change that follows is refused while the other lives.
        if (outcomes.isEmpty()) {
            refuseWhileAlive();
        }
        return outcomes;
    }

    /** Says that what another has begun with a volume has to be ended first. */
    @Override
    public Optional<ChangeOutcome> obstacle(AffinityChange change) {
        // Asked of each change of a plan in each round, and a catalog of thousands is not looked through for nothing.
        if (!saved.holdsAny()) {
            return changer.obstacle(change);
        }
        return catalog.volume(change.volume())
                .filter(saved.held(drivers))
                .map(_ -> new ChangeOutcome(
                        change.volume(),
                        Result.ABANDONED,
                        saved.isKnown()
                                ? "what LINSTOR's affinity controller has begun with it has to be ended first"
                                : "it is not known yet whether LINSTOR's affinity controller has begun anything with"
                                        + " it"))
                .or(() -> changer.obstacle(change));
    }

    @Override
    public ChangeOutcome change(AffinityChange change, Predicate<String> mayBegin) {
        refuseWhileAlive();
        return obstacle(change).orElseGet(() -> changer.change(change, name -> isAlone() && mayBegin.test(name)));
    }

    @Override
    public List<ChangeOutcome> strays(List<KnownVolume> all) {
        Predicate<KnownVolume> held = saved.held(drivers);
        return changer.strays(all.stream().filter(held.negate()).toList());
    }

    /** Says whether nothing shows that the other controller lives; not while that cannot be known. */
    private boolean isAlone() {
        try {
            return sign().isEmpty();
        } catch (StorageException _) {
            return false;
        }
    }

    /** Returns what shows that the other lives. What it had kept before it did, or may have, is not relied on. */
    private Optional<String> sign() {
        boolean alone = false;
        try {
            Optional<String> sign = other.alive();
            alone = sign.isEmpty();
            return sign;
        } finally {
            if (!alone) saved.outdate();
        }
    }

    private void refuseWhileAlive() {
        Optional<String> sign = sign();
        other.announce(sign);
        if (sign.isPresent()) {
            throw new StorageException(new Failure.OtherControllerAlive(sign.get()));
        }
    }
}
