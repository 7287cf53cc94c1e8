package dev.fairlead.adapter.zfs.store.volume;

import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.ShapeDigest;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.Parents;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.volume.ParentChoice;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
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
        all.addAll(others(birth));
        return host.each(all, all.stream().limit(1).toList(), VolumeProperties.ASKED, work);
    }

    private List<DatasetName> others(Birth birth) {
        return layout.volume(birth.id()).map(layout::namesakes).orElse(List.of());
    }

    private Optional<VolumeProperties> own(Birth birth, SortedMap<String, Map<String, Property>> rows) {
        return layout.volume(birth.id()).flatMap(name -> properties(name, rows));
    }

    private static Optional<VolumeProperties> properties(
            DatasetName name, SortedMap<String, Map<String, Property>> rows) {
        return Optional.ofNullable(rows.get(name.value())).map(found -> new VolumeProperties(name, found));
    }

    private Optional<StoredVolume> elsewhere(Birth birth, SortedMap<String, Map<String, Property>> rows) {
        for (DatasetName name : others(birth)) {
            Optional<StoredVolume> found = properties(name, rows)
                    .filter(VolumeProperties::isManaged)
                    .flatMap(there -> layout.volume(name)
                            .map(id -> there.isWhole()
                                    ? withDigest(there.volume(id), birth.request())
                                    : withDigestOfItsPlace(there.volume(id), birth.request())));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Returns the volume with a digest, which one that democratic-csi made lacks. */
    private static StoredVolume withDigest(StoredVolume volume, CreateRequest request) {
        return volume.notes().containsKey(Notes.DIGEST) ? volume : withDigestOfItsPlace(volume, request);
    }

    /**
     * Returns the volume with the digest that the request would have for the parent where the volume lies: no more is
     * known of how it was made, and it is enough to tell the two apart.
     */
    private static StoredVolume withDigestOfItsPlace(StoredVolume volume, CreateRequest request) {
        Map<String, String> parameters = new TreeMap<>(request.parameters());
        parameters.remove(ParentChoice.KEY);
        label(volume.id()).ifPresent(label -> parameters.put(ParentChoice.KEY, label));
        var there = new CreateRequest(
                request.name(),
                request.capacity(),
                request.capabilities(),
                parameters,
                request.content(),
                request.mutable());
        Map<String, String> notes = new TreeMap<>(volume.notes());
        notes.put(Notes.DIGEST, ShapeDigest.of(there).value());
        return new StoredVolume(
                volume.id(), volume.name(), volume.capacity(), volume.medium(), volume.content(), notes);
    }

    private static Optional<String> label(NativeId id) {
        int end = id.value().indexOf(Parents.END_OF_LABEL);
        return end < 0 ? Optional.empty() : Optional.of(id.value().substring(0, end));
    }
}
