package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.OtherController;
import dev.fairlead.application.port.out.placement.SavedVolume;
import dev.fairlead.application.port.out.placement.SavedVolumeTaking;
import dev.fairlead.application.port.out.placement.SavedVolumeTaking.Taken;
import dev.fairlead.application.port.out.placement.VolumeCatalog;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the replacements that another controller has begun and not ended. What it has kept of a volume is removed from
 * the storage last, once the volume is as it should be. Not for use by several threads.
 */
public final class SavedVolumeRun {
    /** The time for which the last request of a controller that was killed may be under way: its usual timeout. */
    public static final Duration USUAL_SETTLE = Duration.ofSeconds(60);

    /** The number of looks in the time for which something has to stay the same, as long as nothing is kept. */
    private static final int LOOKS = 4;

    /** The rest after a look that failed, in times of how long that took: meanwhile other volumes follow. */
    private static final int REST = 2;

    private static final Logger log = LoggerFactory.getLogger(SavedVolumeRun.class);

    private final SavedVolumeReader reader;
    private final SavedVolumeTaking taking;
    private final VolumeCatalog catalog;
    private final OtherController other;
    private final Duration settle;
    private Map<String, Seen> seen = new HashMap<>();
    private final Set<String> missing = new HashSet<>();
    private Set<String> heldBefore = Set.of();
    private boolean looked;
    private Duration lookedAt = Duration.ZERO;
    private Duration restsUntil = Duration.ZERO;

    /** Tells whether the storage has not answered in this round, so that it is left alone. */
    private boolean silent;

    private Optional<Set<String>> open = Optional.empty();

    /** The time at which the other controller may have written last; what was asked before tells nothing any more. */
    private Optional<Duration> mayHaveWritten = Optional.empty();

    /** @param settle how long what is kept of a volume has to stay the same before it is used */
    public SavedVolumeRun(
            SavedVolumeReader reader,
            SavedVolumeTaking taking,
            VolumeCatalog catalog,
            OtherController other,
            Duration settle) {
        this.reader = reader;
        this.taking = taking;
        this.catalog = catalog;
        this.other = other;
        this.settle = settle;
    }

    private record Seen(String text, Duration time) {}

    /**
     * Looks at what is kept, and takes note of it; a change since the last look was made by the other controller.
     *
     * @return what has stayed the same for long enough
     */
    private List<SavedVolume> steady(List<SavedVolume> all, Duration now) {
        Map<String, Seen> next = new HashMap<>();
        List<SavedVolume> steady = new ArrayList<>();
        for (SavedVolume one : all) {
            Optional<Seen> before = Optional.ofNullable(seen.get(one.place()))
                    .filter(since -> since.text().equals(one.text()));
            if (before.isEmpty() && looked) {
                other.wrote("it has just written " + one.place());
            }
            Seen since = before.orElseGet(() -> new Seen(one.text(), now));
            next.put(one.place(), since);
            missing.remove(one.place());
            if (now.minus(since.time()).compareTo(settle) >= 0) {
                steady.add(one);
            }
        }
        // Half a list is well formed: what is missing is believed to be gone once it is missing twice.
        seen.forEach((place, since) -> {
            if (!next.containsKey(place) && missing.add(place)) {
                next.put(place, since);
            } else {
                missing.remove(place);
            }
        });
        seen = next;
        looked = true;
        return steady;
    }

    /**
     * Takes over what can be taken over now, by what the storage has answered so far. Until its next answer the last
     * one holds; how long something has been the same is counted up to when that was asked for.
     *
     * @param changer makes volumes again
     * @param goOn says whether to go on with the next one
     * @param mayWrite is asked before each change
     */
    public List<ChangeOutcome> once(AffinityChanger changer, BooleanSupplier goOn, BooleanSupplier mayWrite) {
        List<KnownVolume> volumes = catalog.volumes();
        Optional<SavedVolumeReader.Answer> answer = answer();
        if (answer.isEmpty()) {
            return List.of();
        }
        Duration time = answer.get().asked();
        if (answer.get().all().isEmpty()) {
            // Until it answers, nothing is known of LINSTOR's volumes, and none of them is changed; others go on.
            open = Optional.empty();
            restsUntil = reader.now().plus(answer.get().took().multipliedBy(REST));
            answer.get()
                    .failure()
                    .ifPresent(failure -> log.atWarn()
                            .addKeyValue("code", failure.code())
                            .addKeyValue("reason", failure.message())
                            .log("it is not known whether another controller has left anything to be ended"));
            return List.of();
        }
        List<SavedVolume> all = answer.get().all().get();
        lookedAt = time;
        // A storage that is slow is not asked without a pause, however often a round is woken.
        Duration pause = settle.dividedBy(LOOKS);
        Duration took = answer.get().took();
        restsUntil = reader.now().plus(took.compareTo(pause) < 0 ? took : pause);
        silent = false;
        List<SavedVolume> steady = steady(all, time);
        Set<String> now = names(all, volumes);
        Set<String> held = new HashSet<>(now);
        held.addAll(heldBefore);
        heldBefore = now;
        open = Optional.of(held);
        List<ChangeOutcome> outcomes = new ArrayList<>();
        List<SavedVolume> begun = new ArrayList<>();
        for (SavedVolume one : steady) {
            if (silent || !goOn.getAsBoolean() || !mayWrite.getAsBoolean()) {
                return outcomes;
            }
            if (taken(one, volumes, mayWrite, outcomes) instanceof Taken.Begun) {
                begun.add(one);
            }
        }
        if (!begun.isEmpty() && goOn.getAsBoolean() && mayWrite.getAsBoolean()) {
            outcomes.addAll(changer.resume(() -> goOn.getAsBoolean() && mayWrite.getAsBoolean()));
            for (SavedVolume one : begun) {
                if (!silent) taken(one, volumes, mayWrite, outcomes);
            }
        }
        return outcomes;
    }

    /**
     * Returns an answer to what was asked in an earlier round, or asks anew if it is time to. Nothing is asked while
     * something is being removed: the answer might still name it.
     */
    private Optional<SavedVolumeReader.Answer> answer() {
        if (!reader.isFree()) {
            Optional<SavedVolumeReader.Answer> late = reader.heard();
            if (late.isEmpty() || !isOutdated(late.get())) return late;
        }
        Duration now = reader.now();
        boolean idle = open.isPresent()
                && looked
                && seen.isEmpty()
                && now.minus(lookedAt).compareTo(settle.dividedBy(LOOKS)) < 0;
        if (idle || now.compareTo(restsUntil) < 0) return Optional.empty();
        reader.ask();
        return reader.briefly();
    }

    private boolean isOutdated(SavedVolumeReader.Answer answer) {
        return mayHaveWritten.filter(time -> answer.asked().compareTo(time) < 0).isPresent();
    }

    /** Takes one as far as it can be taken, and lets go of what was kept of it if it is settled. */
    private Taken taken(
            SavedVolume one, List<KnownVolume> volumes, BooleanSupplier mayWrite, List<ChangeOutcome> outcomes) {
        Taken taken;
        try {
            taken = taking.take(one, volumes, mayWrite);
        } catch (StorageException e) {
            taken = new Taken.Kept(unfinished(
                    one.resource(), e.failure().code() + " " + e.failure().message()));
        }
        if (taken instanceof Taken.Done(ChangeOutcome outcome)) {
            outcomes.add(removed(one, outcome));
        } else if (taken instanceof Taken.Kept(ChangeOutcome outcome)) {
            outcomes.add(outcome);
        }
        return taken;
    }

    private ChangeOutcome removed(SavedVolume one, ChangeOutcome outcome) {
        Duration began = reader.now();
        try {
            if (reader.storage().remove(one)) {
                seen.remove(one.place());
                heldBefore.remove(outcome.volume());
                open.ifPresent(held -> held.remove(outcome.volume()));
                return outcome;
            }
            return unfinished(outcome.volume(), one.place() + " is not gone yet, or has changed");
        } catch (StorageException e) {
            // Each further one would take as long, and the volumes of others would wait for all of them.
            silent = true;
            restsUntil = reader.now().plus(reader.now().minus(began).multipliedBy(REST));
            return unfinished(
                    outcome.volume(), e.failure().code() + " " + e.failure().message());
        }
    }

    private static ChangeOutcome unfinished(String volume, String why) {
        return new ChangeOutcome(volume, Result.UNFINISHED, why);
    }

    private static Set<String> names(List<SavedVolume> all, List<KnownVolume> volumes) {
        Set<String> names = new HashSet<>();
        for (KnownVolume volume : volumes) {
            if (all.stream().anyMatch(one -> isOf(one, volume))) {
                names.add(volume.placed().name());
            }
        }
        return names;
    }

    private static boolean isOf(SavedVolume saved, KnownVolume volume) {
        return saved.driver().equals(volume.placed().driver())
                && saved.handles().contains(volume.placed().handle());
    }

    /**
     * Forgets of which volumes something was kept, since the other controller may be writing now: nothing is known
     * until the storage has answered what is asked after this.
     */
    void outdate() {
        open = Optional.empty();
        mayHaveWritten = Optional.of(reader.now());
    }

    /** Says whether it is known of which volumes something was kept. */
    boolean isKnown() {
        return open.isPresent();
    }

    /** Says whether there may be a volume that may not be changed. */
    boolean holdsAny() {
        return open.map(names -> !names.isEmpty()).orElse(true);
    }

    /** Says which volumes may not be changed, since something was kept of them, or since that is not known. */
    Predicate<KnownVolume> held(Predicate<String> drivers) {
        Optional<Set<String>> known = open;
        return volume -> drivers.test(volume.placed().driver())
                && known.map(names -> names.contains(volume.placed().name())).orElse(true);
    }

    /**
     * Says what would be done, in words; changes nothing.
     *
     * @throws StorageException if what was kept is not known
     */
    public List<AffinityPlan.Note> plan() {
        List<KnownVolume> volumes = catalog.volumes();
        return reader.storage().all().stream()
                .map(one -> new AffinityPlan.Note(taking.plan(one, volumes), true))
                .toList();
    }
}
