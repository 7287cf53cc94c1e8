package dev.fairlead.adapter.freenas.store.create;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.adapter.freenas.store.destroy.VolumeRemoval;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.volume.BirthMarks;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Gives its marks and its name to a volume that was made under a name that no volume has. */
record BirthNaming(
        DatasetCalls datasets,
        MountpointPermissions permissions,
        MountPlace place,
        CallNotes notes,
        VolumeRemoval removal,
        BirthFailures failures) {
    /** Sets the marks that can be set later, and returns the dataset as it is then. */
    DatasetEntry mark(DatasetName name, Map<String, String> all, Work work) {
        Map<String, String> settable = new LinkedHashMap<>(all);
        settable.keySet().removeIf(BirthMarks.SET_ONCE::contains);
        return switch (datasets.update(name, DatasetFields.updated(settable), work)) {
            case ApiResult.Done done -> datasets.answered(done, name, work);
            case ApiResult.Refused refused -> throw failures.refusalOfMade(refused);
        };
    }

    /**
     * Marks what has all its content, and gives it its name; returns it by that name. Empty if the name is given to
     * another dataset: what was made is thrown away then.
     *
     * @param all the marks, to which those of a volume that is whole are added
     * @param beforeNamed runs once the marks are known, and before the call that gives the name is noted
     */
    Optional<DatasetEntry> give(
            Birth birth, DatasetName name, Map<String, String> all, Runnable beforeNamed, Work work) {
        DatasetName staged = DatasetLayout.staged(name);
        if (permissions.isNeeded(birth)) {
            DatasetEntry made = datasets.find(staged, work).orElseThrow(() -> failures.vanished(staged));
            place.require(birth, made);
            permissions.apply(birth, made, work);
        }
        all.putAll(BirthFields.done(all));
        beforeNamed.run();
        CallNotes.CallNote noted = notes.note(
                        staged.value(), note -> Optional.of(mark(staged, BirthFields.with(all, note), work)), work)
                .orElseThrow();
        notes.before(noted, () -> place.require(birth, noted.entry()), work);
        ApiResult renamed = notes.send(noted, left -> datasets.rename(staged, name, left, work));
        if (renamed instanceof ApiResult.Refused refused) {
            notes.withdraw(noted, work);
            if (refused.isThereAlready()) {
                removal.discard(staged, work);
                return Optional.empty();
            }
            throw failures.refusalOfMade(refused);
        }
        return Optional.of(datasets.find(name, work).orElseThrow(() -> failures.vanished(name)));
    }
}
