package dev.fairlead.adapter.zfs.store.create;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.store.destroy.DatasetRemoval;
import dev.fairlead.adapter.zfs.store.transfer.ZfsReceiver;
import dev.fairlead.adapter.zfs.store.volume.NativeProperties;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Compatibility;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.MutableProperty;
import dev.fairlead.zfs.property.NoteProperties;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Handles what an earlier call began and did not finish, if another call wants its place. If the two want the same, the
 * second goes on from there. If not, the dataset is destroyed: its content is not what was asked for, and no caller has
 * ever been given it.
 */
record Leftovers(ZfsHost host, DatasetLayout layout, DatasetRemoval removal, PeerLeftovers peers) {
    /**
     * Returns the steps to run before it can be finished as the volume of this birth; empty if it was destroyed, and
     * everything has to be made anew.
     */
    Optional<Steps> goOn(BirthPlan plan, VolumeProperties there, Work work) {
        Birth birth = plan.birth();
        DatasetName name = plan.name();
        Map<String, String> properties = plan.properties();
        ZfsReceiver.refuseToTakeOver(there, birth);
        if (!there.isManaged()) {
            requireOurCopy(plan, work);
            return Optional.of(new Steps()
                    .then(host.zfs().set(name.value(), NativeProperties.settable(properties)))
                    .and(peers.withoutReceived(plan, work)));
        }
        Optional<String> difference = difference(birth, there, properties);
        if (difference.isPresent()) {
            requireUnpublished(birth, there);
            removal.discard(birth.id(), name, difference.get(), work);
            return Optional.empty();
        }
        Map<String, String> mutable =
                MutableProperty.read(birth.request().mutable(), birth.medium().kind());
        Steps steps = peers.withoutReceived(plan, work); // an interrupted call may have left it
        return Optional.of(mutable.isEmpty() ? steps : steps.then(host.zfs().set(name.value(), mutable)));
    }

    /**
     * Throws unless the dataset is a copy of ours that was interrupted before it had its marks. It is recognized by its
     * snapshot, whose name nothing else has; a copy of democratic-csi's may have a caller's snapshot.
     */
    private void requireOurCopy(BirthPlan plan, Work work) {
        NativeId id = plan.birth().id();
        String snapshot = layout.originFor(plan.name(), id).toString();
        if (!plan.copies()
                || (host.get(snapshot, List.of("type"), work).isEmpty()
                        && peers.received(plan, work).isEmpty())) {
            throw new StorageException(new Failure.NotOurs(id.value(), "the dataset " + plan.name()));
        }
    }

    private static Optional<String> difference(Birth birth, VolumeProperties there, Map<String, String> properties) {
        StoredVolume begun = there.volume(birth.id());
        StoredVolume sizeless = begun.withCapacity(Optional.empty());
        return Compatibility.difference(
                        sizeless, birth.request(), birth.medium().kind())
                .or(() -> size(birth, there))
                .or(() -> notes(there.allNotes(), NoteProperties.read(properties)));
    }

    /**
     * Returns the difference in size, if it matters: a block volume has its origin's size until it is given its own.
     */
    private static Optional<String> size(Birth birth, VolumeProperties there) {
        boolean grows = birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE
                && !birth.request().content().equals(Content.EMPTY);
        Capacity wanted = birth.capacity();
        return there.capacity()
                .filter(size -> grows ? wanted.isLessThan(size) : !wanted.equals(size))
                .map(size -> "its size is " + size + ", asked for is one of " + wanted);
    }

    /**
     * Returns the difference from the notes that the dataset was made with; the context is compared only if both have
     * one, since the mountpoint is not always known then.
     */
    private static Optional<String> notes(Map<String, String> begun, Map<String, String> wanted) {
        Map<String, String> some = new TreeMap<>(begun);
        Map<String, String> others = new TreeMap<>(wanted);
        if (!Notes.saysHowToAttach(begun) || !Notes.saysHowToAttach(wanted)) {
            some.keySet().removeIf(key -> key.startsWith(Notes.CONTEXT_PREFIX));
            others.keySet().removeIf(key -> key.startsWith(Notes.CONTEXT_PREFIX));
        }
        return some.equals(others)
                ? Optional.empty()
                : Optional.of("it was begun when the connection or the class was another");
    }

    /** Throws if it has grants: no call has ever returned this volume, so somebody must have set them by hand. */
    private static void requireUnpublished(Birth birth, VolumeProperties there) {
        if (Access.of(there.allNotes()) instanceof Access.Nodes(Grants granted) && !granted.isEmpty()) {
            throw new StorageException(new Failure.VolumeConflict(
                    birth.id().value(), "it is not finished, and published all the same; delete it first"));
        }
    }
}
