package dev.fairlead.adapter.zfs.store.volume;

import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.volume.OtherParents;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * Finds a volume below any parent that a class may have chosen: one name is one volume, whatever parent the class names
 * now. A volume that it finds below another parent conflicts by the parameters that it was made with.
 */
public record VolumeNameLookup(ZfsHost host, DatasetLayout layout) {
    /** Returns a lookup; empty if there is one parent only, since nothing has to be asked then. */
    public static Optional<VolumeNameLookup> of(ZfsHost host, DatasetLayout layout) {
        return layout.parents().labelled().isEmpty()
                ? Optional.empty()
                : Optional.of(new VolumeNameLookup(host, layout));
    }

    /**
     * Returns the volume of this birth, or else what exists of that name below another parent; runs one command.
     *
     * @param whole tells a complete volume from what an earlier call left
     */
    public Optional<StoredVolume> existing(Birth birth, Predicate<VolumeProperties> whole, Work work) {
        SortedMap<String, Map<String, Property>> rows = rows(birth, work);
        return own(birth, rows)
                .filter(whole)
                .map(volume -> volume.volume(birth.id()))
                .or(() -> elsewhere(birth, rows));
    }

    /**
     * Returns what exists of that name below another parent, if nothing of ours exists below the one that is asked for.
     * It counts even if it was never finished, since a call may be about to finish it.
     */
    public Optional<StoredVolume> elsewhere(Birth birth, Work work) {
        SortedMap<String, Map<String, Property>> rows = rows(birth, work);
        return own(birth, rows).filter(VolumeProperties::isManaged).isPresent()
                ? Optional.empty()
                : elsewhere(birth, rows);
    }

    private SortedMap<String, Map<String, Property>> rows(Birth birth, Work work) {
        List<DatasetName> all =
                new ArrayList<>(layout.volume(birth.id()).stream().toList());
        all.addAll(new OtherParents(layout).names(birth));
        return host.each(all, all.stream().limit(1).toList(), VolumeProperties.ASKED, work);
    }

    private Optional<VolumeProperties> own(Birth birth, SortedMap<String, Map<String, Property>> rows) {
        return layout.volume(birth.id()).flatMap(name -> properties(name, rows));
    }

    private static Optional<VolumeProperties> properties(
            DatasetName name, SortedMap<String, Map<String, Property>> rows) {
        return Optional.ofNullable(rows.get(name.value())).map(found -> new VolumeProperties(name, found));
    }

    private Optional<StoredVolume> elsewhere(Birth birth, SortedMap<String, Map<String, Property>> rows) {
        return new OtherParents(layout).volume(birth, name -> properties(name, rows));
    }
}
