package dev.fairlead.adapter.freenas.store.create;

import dev.fairlead.adapter.freenas.store.copy.ContentCopy;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotEntry;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Compatibility;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.volume.BirthSources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finishes what democratic-csi began and did not finish, for the request that it was begun for; any other request is
 * refused. Nothing of it is ever destroyed, and until the last step democratic-csi could still continue it.
 */
record PeerCreation(
        DatasetCalls datasets,
        DatasetLayout layout,
        BirthFields fields,
        BirthNaming naming,
        MountpointPermissions permissions,
        ContentCopy copies) {
    /**
     * Makes it the volume of this birth. No failure but that of another request is final: what is cleared then is what
     * this store began.
     */
    DatasetEntry finish(Birth birth, DatasetEntry there, Work work) {
        Optional<SnapshotName> source = new BirthSources(layout).of(birth);
        boolean copied = source.filter(it -> BirthSources.isCopied(birth, it, there.name()))
                .isPresent();
        difference(birth, there, source, copied).ifPresent(difference -> {
            throw new StorageException(new Failure.VolumeConflict(birth.id().value(), difference));
        });
        try {
            if (there.volume().hasShareContext()) {
                return naming.mark(there.name(), Map.of(PeerProperties.SUCCESS, PeerProperties.TRUE), work);
            }
            return finish(birth, there, source.filter(_ -> copied), work);
        } catch (StorageException e) {
            throw datasets.unavailable("what democratic-csi began of " + there.name() + " cannot be finished: "
                    + e.failure().message() + "; destroy that dataset by hand if nobody needs it");
        }
    }

    /** @param sent the snapshot of which it is a copy */
    private DatasetEntry finish(Birth birth, DatasetEntry there, Optional<SnapshotName> sent, Work work) {
        DatasetName name = there.name();
        Map<String, String> early = fields.properties(birth, true);
        Map<String, String> last = new LinkedHashMap<>();
        for (String key : List.of(OwnProperties.NOTES, PeerProperties.SHARE_CONTEXT)) {
            Optional.ofNullable(early.remove(key)).ifPresent(value -> last.put(key, value));
        }
        permissions.apply(birth, there, work);
        requireAll(early, naming.mark(name, early, work));
        sent.filter(it -> isReceived(it, name, work)).ifPresent(it -> copies.forget(it, name, work));
        last.putAll(BirthFields.done(last));
        last.put(PeerProperties.SUCCESS, PeerProperties.TRUE);
        DatasetEntry whole = naming.mark(name, last, work);
        requireAll(last, whole);
        return whole;
    }

    private void requireAll(Map<String, String> all, DatasetEntry entry) {
        DatasetFields.difference(all, entry).ifPresent(difference -> {
            throw datasets.untrue(entry.name() + " was there, and " + difference);
        });
    }

    private static Optional<String> difference(
            Birth birth, DatasetEntry there, Optional<SnapshotName> source, boolean copied) {
        boolean grows = birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE
                && !birth.request().content().equals(Content.EMPTY);
        StoredVolume begun = there.volume().volume(birth.id());
        // Without its size, since a block volume has its origin's until it is given its own.
        StoredVolume sized = begun.withCapacity(begun.capacity().filter(_ -> !grows));
        return Compatibility.difference(sized, birth.request(), birth.medium().kind())
                .or(() -> begun.capacity()
                        .filter(size -> grows && birth.capacity().isLessThan(size))
                        .map(size -> "its size is " + size + ", asked for is one of " + birth.capacity()))
                .or(() -> source.filter(_ -> copied == there.origin().isPresent())
                        .map(_ -> "democratic-csi has begun it as a " + (copied ? "clone" : "copy")
                                + ", asked for is a " + (copied ? "copy" : "clone")));
    }

    /** Says whether the snapshot that was sent came with the copy: it has the number of that one. */
    private boolean isReceived(SnapshotName sent, DatasetName name, Work work) {
        Optional<String> received = guid(name.snapshot(sent.name()), work);
        return received.isPresent() && received.equals(guid(sent, work));
    }

    private Optional<String> guid(SnapshotName snapshot, Work work) {
        return new SnapshotCalls(datasets.api())
                .find(snapshot, work)
                .map(SnapshotEntry::rows)
                .flatMap(rows -> Optional.ofNullable(rows.get(SnapshotEntry.GUID)))
                .map(Property::value);
    }
}
