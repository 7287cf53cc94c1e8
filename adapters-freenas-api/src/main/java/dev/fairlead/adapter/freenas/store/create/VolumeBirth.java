package dev.fairlead.adapter.freenas.store.create;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.store.copy.ContentCopy;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.adapter.freenas.store.dataset.DetachedLookup;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.destroy.VolumeRemoval;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.adapter.freenas.store.snapshot.SourceSnapshot;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.volume.BirthMarks;
import dev.fairlead.zfs.volume.BirthSources;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the dataset of a volume. A box that sets the marks in the step that makes the dataset makes it under its own
 * name. One that does not (the betas of 26 drop them, and 26 those of a clone) makes it under a name that tells whose
 * it is, marks it, and renames it when it is whole.
 */
public final class VolumeBirth {
    private static final int MOST_ROUNDS = 3;

    private final TruenasApi api;
    private final FreenasStoreSettings settings;
    private final DatasetCalls datasets;
    private final SnapshotCalls snapshots;
    private final ParentLookup parents;
    private final BirthSource sources;
    private final BirthFields fields;
    private final MountpointPermissions permissions;
    private final VolumeRemoval removal;
    private final CallNotes notes;
    private final ContentCopy copies;
    private final PermissionTurns turns;
    private final BirthFailures failures;
    private final MountPlace place;
    private final BirthNaming naming;
    private final PeerCreation leftovers;

    public VolumeBirth(
            TruenasApi api,
            FreenasStoreSettings settings,
            ParentLookup parents,
            VolumeRemoval removal,
            CallNotes notes,
            ContentCopy copies,
            PermissionTurns turns) {
        this.api = api;
        this.settings = settings;
        this.datasets = new DatasetCalls(api);
        this.snapshots = new SnapshotCalls(api);
        this.parents = parents;
        this.sources =
                new BirthSource(settings, parents, snapshots, new DetachedLookup(settings.layout(), datasets, parents));
        this.fields = new BirthFields(settings, new BirthMarks(settings.zfs()));
        this.permissions = new MountpointPermissions(api, settings.zfs().permissions());
        this.removal = removal;
        this.notes = notes;
        this.copies = copies;
        this.turns = turns;
        this.failures = new BirthFailures(datasets);
        this.place = new MountPlace(datasets, removal);
        this.naming = new BirthNaming(datasets, permissions, place, notes, removal, failures);
        this.leftovers = new PeerCreation(datasets, settings.layout(), fields, naming, permissions, copies);
    }

    /** Holds a volume and whether this call made it. */
    public record Made(VolumeProperties volume, boolean fresh) {}

    /** Makes the volume, whatever an earlier call has left. */
    public Made make(Birth birth, DatasetName name, Work work) {
        boolean waits = permissions.isNeeded(birth) || !birth.bornWith().isEmpty();
        return waits ? turns.taking(name.value(), () -> makeNoted(birth, name, work)) : makeNoted(birth, name, work);
    }

    private Made makeNoted(Birth birth, DatasetName name, Work work) {
        LateCalls.ChangeTarget creation = notes.creation(name);
        boolean wasCut = notes.late().mayChange(creation);
        try {
            Made made = notes.late().changing(creation, () -> make(birth, name, MOST_ROUNDS, work));
            // If this call has made it, one that was cut has not come, and may after a deletion.
            if (wasCut && !made.fresh()) {
                notes.creationCame(name, work);
            }
            return made;
        } catch (StorageException e) {
            if (LateCalls.mayCome(e)) {
                notes.noteCreation(name, work.finishing());
            }
            throw e;
        }
    }

    private Made make(Birth birth, DatasetName name, int rounds, Work work) {
        TruenasRelease release = api.release(work);
        if (release.isCore()) {
            throw new StorageException(new Failure.Unsupported(
                    "keeping volumes by the API of " + release.shown(), "use freenas-nfs, with an sshConnection"));
        }
        Optional<SnapshotName> source = sources.of(birth, work);
        Optional<SourceSnapshot> helper = sources.helper(birth);
        boolean copied =
                source.filter(it -> BirthSources.isCopied(birth, it, name)).isPresent();
        if (copied) {
            copies.requirePossible(
                    "a volume that is a copy and no clone", BirthSource.otherwise(source.get(), name), work);
        }
        try {
            if (copied) {
                return makeCopied(birth, name, source.get(), helper, rounds, work);
            }
            if (source.isPresent() ? release.isAtLeast(26, 0) : BirthFields.dropsMarks(release)) {
                return makeStaged(birth, name, source, helper, rounds, work);
            }
            return makeAtOnce(birth, name, source, helper, rounds, work);
        } catch (StorageException e) {
            if (FinalCodes.isFinal(e.failure())) {
                helper.ifPresent(it -> it.discard(work.finishing()));
                removal.discardBegun(name, work.finishing());
            }
            throw e;
        }
    }

    private Made makeAtOnce(
            Birth birth,
            DatasetName name,
            Optional<SnapshotName> source,
            Optional<SourceSnapshot> helper,
            int rounds,
            Work work) {
        Map<String, String> all = fields.properties(birth, source.isPresent());
        // The access list that a share for Windows is born with is set by a job, after the dataset is made.
        boolean atOnce =
                source.isEmpty() && !permissions.isNeeded() && birth.bornWith().isEmpty() && !fields.reserves(all);
        all.putAll(atOnce ? BirthFields.done(all) : Map.of(OwnProperties.STATE, OwnProperties.MAKING));
        ApiResult result;
        if (source.isPresent()) {
            if (helper.isPresent() && !helper.get().take(work)) {
                return existing(birth, name, rounds, work);
            }
            result = snapshots.clone(source.get(), name, BirthFields.ofUser(all), work);
        } else {
            result = create(birth, name, all, work);
        }
        if (result instanceof ApiResult.Refused refused) {
            if (refused.isThereAlready()) {
                return existing(birth, name, rounds, work);
            }
            throw refused.failure();
        }
        DatasetEntry made = source.isPresent()
                ? datasets.find(name, work).orElseThrow(() -> failures.vanished(name))
                : datasets.answered((ApiResult.Done) result, name, work);
        if (atOnce && DatasetFields.difference(all, made).isEmpty()) {
            return whole(birth, made, all, work);
        }
        return finish(birth, made, all, work);
    }

    /**
     * Sets what the dataset lacks, reads it back, and then marks it whole: a box sets the rest of a call of which it
     * refuses one property, so the mark goes with nothing that may be refused.
     */
    private Made finish(Birth birth, DatasetEntry made, Map<String, String> all, Work work) {
        place.require(birth, made);
        permissions.apply(birth, made, work);
        if (made.origin().isPresent() || DatasetFields.difference(all, made).isPresent()) {
            requireAll(all, naming.mark(made.name(), all, work));
        }
        Map<String, String> done = BirthFields.done(all);
        all.putAll(done);
        return whole(birth, naming.mark(made.name(), done, work), all, work);
    }

    private void requireAll(Map<String, String> all, DatasetEntry entry) {
        DatasetFields.difference(all, entry).ifPresent(difference -> {
            throw datasets.untrue(entry.name() + " was made, and " + difference);
        });
    }

    private Made whole(Birth birth, DatasetEntry entry, Map<String, String> all, Work work) {
        notes.requireNone(entry); // another controller may have begun to throw it away
        requireAll(all, entry);
        place.requireOfMade(birth, entry, work);
        return new Made(entry.volume(), true);
    }

    private ApiResult create(Birth birth, DatasetName name, Map<String, String> all, Work work) {
        ApiResult result = datasets.create(name, fields.fields(birth, all), work);
        if (result instanceof ApiResult.Refused refused
                && !refused.isThereAlready()
                && BirthFailures.lacksParent(refused)) {
            DatasetName parent = name.parent().orElseThrow();
            // If it is there, another creation has made it since.
            return parents.look(parent, work).isEmpty()
                    ? datasets.createWithParents(name, fields.fields(birth, all), work)
                    : datasets.create(name, fields.fields(birth, all), work);
        }
        return result;
    }

    private Made makeStaged(
            Birth birth,
            DatasetName name,
            Optional<SnapshotName> source,
            Optional<SourceSnapshot> helper,
            int rounds,
            Work work) {
        DatasetName staged = DatasetLayout.staged(name);
        List<DatasetEntry> there =
                parents.look(name.parent().orElseThrow(), work).isEmpty()
                        ? List.of()
                        : parents.left(List.of(name, staged), work);
        if (there.stream().anyMatch(entry -> entry.name().equals(name))) {
            return existing(birth, name, rounds, work);
        }
        if (!there.isEmpty()) {
            removal.discard(staged, work);
        }
        if (helper.isPresent() && !helper.get().take(work)) {
            throw datasets.unavailable(
                    "another call makes a clone by the snapshot " + helper.get().name());
        }
        Map<String, String> all = fields.properties(birth, source.isPresent());
        ApiResult result = source.isPresent()
                ? snapshots.clone(source.get(), staged, Map.of(), work)
                : create(birth, staged, all, work);
        if (result instanceof ApiResult.Refused refused) {
            throw refused.isThereAlready() ? datasets.unavailable("another call makes " + name) : refused.failure();
        }
        return named(birth, name, all, rounds, () -> {}, work);
    }

    /** Makes a volume that hangs on nothing; it has its marks and its name when all of its content is there. */
    private Made makeCopied(
            Birth birth,
            DatasetName name,
            SnapshotName source,
            Optional<SourceSnapshot> helper,
            int rounds,
            Work work) {
        DatasetName staged = DatasetLayout.staged(name);
        List<DatasetEntry> there = parents.left(List.of(name, staged), work);
        if (there.stream().anyMatch(entry -> entry.name().equals(name))) {
            return existing(birth, name, rounds, work);
        }
        Map<String, String> all = fields.properties(birth, true);
        var content = new BirthCopy(copies, datasets, removal, source, helper);
        content.bring(staged, there.stream().findFirst(), all, work);
        Runnable marking = () -> {
            var _ = naming.mark(staged, all, work);
            content.letGo(staged, work);
        };
        return named(birth, name, all, rounds, marking, work);
    }

    /**
     * Marks what has all its content, and gives it its name.
     *
     * @param beforeNamed runs once the marks are known, and before the call that gives the name is noted
     */
    private Made named(
            Birth birth, DatasetName name, Map<String, String> all, int rounds, Runnable beforeNamed, Work work) {
        return naming.give(birth, name, all, beforeNamed, work)
                .map(made -> whole(birth, made, all, work))
                .orElseGet(() -> existing(birth, name, rounds, work));
    }

    /** Returns the volume that is there already; makes it anew if it was never finished, since nobody has it. */
    private Made existing(Birth birth, DatasetName name, int rounds, Work work) {
        DatasetEntry entry = parents.findToMake(name, work)
                .orElseThrow(() -> datasets.unavailable(name + " or the folder " + VolumePlanning.MOUNTS + name
                        + " is there already, and no such dataset is found; if it stays so, remove that folder"));
        VolumeProperties there = entry.volume();
        boolean ofKind = there.isBlockDevice() == (settings.kind() == VolumeMedium.Kind.BLOCK_DEVICE);
        if (!there.isManaged() || !ofKind) {
            throw new StorageException(new Failure.NotOurs(birth.id().value(), "the dataset " + name));
        }
        notes.requireNone(entry);
        if (there.isLeftByPeer()) {
            return new Made(leftovers.finish(birth, entry, work).volume(), false);
        }
        if (there.isWhole()) {
            place.require(birth, entry);
            failures.requireUnlocked(entry);
            return new Made(there, false);
        }
        if (rounds == 0) {
            throw datasets.unavailable(name + " is being made by another call");
        }
        removal.discard(name, work);
        return make(birth, name, rounds - 1, work);
    }
}
