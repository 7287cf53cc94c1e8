package dev.fairlead.zfs.volume;

import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.ShapeDigest;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.Parents;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Tells what there is of a volume's name below other parents than the one that its class names: one name is one volume,
 * and one below another parent conflicts by the parameters that it was made with.
 */
public record OtherParents(DatasetLayout layout) {
    /** Returns the datasets that a volume of the name of this birth could be below another parent. */
    public List<DatasetName> names(Birth birth) {
        return layout.volume(birth.id()).map(layout::namesakes).orElse(List.of());
    }

    /**
     * Returns what exists of that name below another parent. It counts even if it was never finished, since a call may
     * be about to finish it.
     *
     * @param found returns what is there of a dataset
     */
    public Optional<StoredVolume> volume(Birth birth, Function<DatasetName, Optional<VolumeProperties>> found) {
        return names(birth).stream()
                .flatMap(name -> found.apply(name).stream()
                        .filter(VolumeProperties::isManaged)
                        .flatMap(there -> layout.volume(name).stream()
                                .map(id -> there.isWhole()
                                        ? withDigest(there.volume(id), birth.request())
                                        : withDigestOfItsPlace(there.volume(id), birth.request()))))
                .findFirst();
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
