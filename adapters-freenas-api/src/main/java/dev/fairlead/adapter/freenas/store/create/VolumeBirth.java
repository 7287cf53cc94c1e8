package dev.fairlead.adapter.freenas.store.create;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.client.TruenasVersion;
import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.adapter.freenas.store.dataset.DetachedLookup;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.destroy.VolumeRemoval;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.volume.BirthMarks;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.LinkedHashMap;
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

    public VolumeBirth(
            TruenasApi api,
            FreenasStoreSettings settings,
            ParentLookup parents,
            VolumeRemoval removal,
            CallNotes notes) {
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
    }

    /** Holds a volume and whether this call made it. */
    public record Made(VolumeProperties volume, boolean fresh) {}

    /** Makes the volume, whatever an earlier call has left. */
    public Made make(Birth birth, DatasetName name, Work work) {
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
        Optional<SnapshotName> source = sources.of(birth, name, work);
        Optional<SourceSnapshot> helper = sources.helper(birth);
        try {
            if (source.isPresent() ? release.isAtLeast(26, 0) : dropsMarks(release)) {
                return makeStaged(birth, name, source, helper, rounds, work);
            }
            return makeAtOnce(birth, name, source, helper, rounds, work);
        } catch (StorageException e) {
            if (FinalCodes.isFinal(e.failure())) {
                helper.ifPresent(it -> it.discard(work.finishing()));
            }
            throw e;
        }
    }

    /** Says whether a box may make a dataset without its user properties. */
    private static boolean dropsMarks(TruenasRelease release) {
        return release.isUnknown()
                || (release.isAtLeast(26, 0)
                        && !release.isAtLeast(26, 1)
                        && release.api().stage() == TruenasVersion.Stage.BETA);
    }

    private Made makeAtOnce(
            Birth birth,
            DatasetName name,
            Optional<SnapshotName> source,
            Optional<SourceSnapshot> helper,
            int rounds,
            Work work) {
        Map<String, String> all = fields.properties(birth, source.isPresent());
        boolean atOnce = source.isEmpty() && !permissions.isNeeded();
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
            throw refusal(refused);
        }
        DatasetEntry made = source.isPresent()
                ? datasets.find(name, work).orElseThrow(() -> vanished(name))
                : datasets.answered((ApiResult.Done) result, name, work);
        if (atOnce && DatasetFields.difference(all, made).isEmpty()) {
            return whole(birth, made, all);
        }
        return finish(birth, made, all, work);
    }

    /** Sets what the dataset lacks, reads it back, and marks it whole. */
    private Made finish(Birth birth, DatasetEntry made, Map<String, String> all, Work work) {
        permit(birth, made, work);
        all.putAll(BirthFields.done(all));
        return whole(birth, update(made.name(), all, work), all);
    }

    private void permit(Birth birth, DatasetName name, Work work) {
        if (settings.kind() == VolumeMedium.Kind.FILESYSTEM && permissions.isNeeded()) {
            permit(birth, datasets.find(name, work).orElseThrow(() -> vanished(name)), work);
        }
    }

    private void permit(Birth birth, DatasetEntry made, Work work) {
        if (settings.kind() == VolumeMedium.Kind.FILESYSTEM && permissions.isNeeded()) {
            permissions.apply(
                    made.text("mountpoint")
                            .orElseThrow(() -> datasets.unavailable(made.name() + " is not mounted on the box")),
                    birth.request().content() instanceof Content.Empty,
                    work);
        }
    }

    private DatasetEntry update(DatasetName name, Map<String, String> all, Work work) {
        Map<String, String> settable = new LinkedHashMap<>(all);
        settable.keySet().removeIf(BirthMarks.SET_ONCE::contains);
        return switch (datasets.update(name, DatasetFields.updated(settable), work)) {
            case ApiResult.Done done -> datasets.answered(done, name, work);
            case ApiResult.Refused refused -> throw refusalOfMade(refused);
        };
    }

    private Made whole(Birth birth, DatasetEntry entry, Map<String, String> all) {
        notes.requireNone(entry); // another controller may have begun to throw it away
        DatasetFields.difference(all, entry).ifPresent(difference -> {
            throw datasets.untrue(entry.name() + " was made, and " + difference);
        });
        String planned = birth.medium().path();
        if (settings.kind() == VolumeMedium.Kind.FILESYSTEM
                && !entry.text("mountpoint").filter(planned::equals).isPresent()) {
            throw datasets.rejected(entry.name() + " is mounted at "
                    + entry.text("mountpoint").orElse("no place") + ", and not at " + planned
                    + "; a TrueNAS mounts its datasets below /mnt, so let the parent inherit its mountpoint");
        }
        return new Made(entry.volume(), true);
    }

    private ApiResult create(Birth birth, DatasetName name, Map<String, String> all, Work work) {
        ApiResult result = datasets.create(name, fields.fields(birth, all), work);
        if (result instanceof ApiResult.Refused refused && !refused.isThereAlready() && lacksParent(refused)) {
            DatasetName parent = name.parent().orElseThrow();
            if (parents.look(parent, work).isEmpty()) {
                return datasets.createWithParents(name, fields.fields(birth, all), work);
            }
        }
        return result;
    }

    private static boolean lacksParent(ApiResult.Refused refused) {
        return refused.says("parent") || refused.says("does not exist") || refused.isAbsent();
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
            throw refused.isThereAlready() ? datasets.unavailable("another call makes " + name) : refusal(refused);
        }
        all.putAll(BirthFields.done(all));
        permit(birth, staged, work);
        CallNotes.CallNote noted = notes.note(
                        staged.value(), note -> Optional.of(update(staged, with(all, note), work)), work)
                .orElseThrow();
        ApiResult renamed = notes.send(noted, left -> datasets.rename(staged, name, left, work));
        if (renamed instanceof ApiResult.Refused refused) {
            notes.withdraw(noted, work);
            if (refused.isThereAlready()) {
                removal.discard(staged, work);
                return existing(birth, name, rounds, work);
            }
            throw refusalOfMade(refused);
        }
        return whole(birth, datasets.find(name, work).orElseThrow(() -> vanished(name)), all);
    }

    private static Map<String, String> with(Map<String, String> all, Map<String, String> note) {
        Map<String, String> both = new LinkedHashMap<>(all);
        both.putAll(note);
        return both;
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
            return new Made(adopt(birth, name, work).volume(), false);
        }
        if (there.isWhole()) {
            return new Made(there, false);
        }
        if (rounds == 0) {
            throw datasets.unavailable(name + " is being made by another call");
        }
        removal.discard(name, work);
        return make(birth, name, rounds - 1, work);
    }

    /** Finishes what democratic-csi began. No failure of it is final: what is cleared then is what this store began. */
    private DatasetEntry adopt(Birth birth, DatasetName name, Work work) {
        Map<String, String> all = fields.properties(birth, true);
        all.putAll(BirthFields.done(all));
        all.put(PeerProperties.SUCCESS, PeerProperties.TRUE);
        try {
            return update(name, all, work);
        } catch (StorageException e) {
            throw datasets.unavailable("what democratic-csi began of " + name + " cannot be finished: "
                    + e.failure().message() + "; destroy that dataset by hand if nobody needs it");
        }
    }

    private StorageException vanished(DatasetName name) {
        return datasets.untrue(name + " was made, and is not there when it is read back");
    }

    /** Returns the failure of a change of what this call has made; if that is gone, another call took it away. */
    private StorageException refusalOfMade(ApiResult.Refused refused) {
        return refused.isAbsent()
                ? datasets.unavailable("another call removed what this one made: " + refused.text())
                : refusal(refused);
    }

    private StorageException refusal(ApiResult.Refused refused) {
        boolean full = refused.says("out of space") || refused.says("80% of your available space");
        return full
                ? new StorageException(
                        new Failure.OutOfSpace(refused.connection(), refused.what() + ": " + refused.text()))
                : refused.failure();
    }
}
