package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.volume.OtherParents;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds a volume below any parent that a class may have chosen: one name is one volume, whatever parent the class names
 * now. A volume that it finds below another parent conflicts by the parameters that it was made with.
 */
record NamedVolumes(OtherParents others, ParentLookup parents, CallNotes notes) {
    /**
     * Returns the volume of this birth, or else what exists of that name below another parent; throws if a call that
     * removes the volume may still come.
     *
     * @param finished tells a complete volume from what an earlier call left
     */
    Optional<StoredVolume> existing(Birth planned, DatasetName name, Predicate<DatasetEntry> finished, Work work) {
        Map<DatasetName, DatasetEntry> there = parents.findToMake(name, others.names(planned), work);
        Optional<DatasetEntry> own = Optional.ofNullable(there.get(name));
        own.ifPresent(notes::requireNone);
        return own.filter(finished)
                .map(entry -> entry.volume().volume(planned.id()))
                .or(() -> elsewhere(planned, there));
    }

    /**
     * Returns what exists of that name below another parent, if nothing of ours exists below the one that is asked for;
     * throws if a call that was cut may still make it there.
     */
    Optional<StoredVolume> elsewhere(Birth planned, DatasetName name, Work work) {
        if (others.names(planned).isEmpty()) {
            return Optional.empty();
        }
        Map<DatasetName, DatasetEntry> there = parents.findToMake(name, others.names(planned), work);
        DatasetEntry own = there.get(name);
        if (own != null && own.volume().isManaged()) {
            return Optional.empty();
        }
        Optional<StoredVolume> elsewhere = elsewhere(planned, there);
        if (elsewhere.isEmpty()) {
            others.names(planned).stream()
                    .filter(other -> !there.containsKey(other))
                    .forEach(other -> Optional.ofNullable(
                                    there.get(other.parent().orElseThrow()))
                            .ifPresent(parent -> notes.requireNoCreation(other, parent, work)));
        }
        return elsewhere;
    }

    private Optional<StoredVolume> elsewhere(Birth planned, Map<DatasetName, DatasetEntry> there) {
        return others.volume(
                planned, name -> Optional.ofNullable(there.get(name)).map(DatasetEntry::volume));
    }
}
