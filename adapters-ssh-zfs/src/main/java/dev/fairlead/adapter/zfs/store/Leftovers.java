package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Compatibility;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.Layout;
import dev.fairlead.zfs.property.MutableProperty;
import dev.fairlead.zfs.property.NoteProperties;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a call has begun and not finished, found by another one that wants its place. Where the two want the same, the
 * second goes on from there. Where not, the dataset goes: its content is not what was asked for, and nobody has ever
 * been given it.
 */
record Leftovers(ZfsHost host, Layout layout, Removal removal, PeerLeftovers peers) {
    /**
     * What has to be done first before it can be finished as the volume of this birth; empty where it had to go, and
     * all is to be made anew.
     *
     * @param plan that of the birth
     */
    Optional<Steps> goOn(Birth birth, DatasetName name, VolumeProperties there, BirthSteps plan, Work work) {
        Map<String, String> properties = plan.properties();
        ZfsArrival.refuseToTakeOver(there, birth);
        if (!there.isManaged()) {
            requireOurCopy(birth, name, plan, work);
            return Optional.of(new Steps()
                    .then(host.zfs().set(name.value(), NativeProperties.settable(properties)))
                    .and(peers.withoutReceived(name, plan, work)));
        }
        Optional<String> difference = difference(birth, there, properties);
        if (difference.isPresent()) {
            requireUnpublished(birth, there);
            removal.discard(birth.id(), name, difference.get(), work);
            return Optional.empty();
        }
        Map<String, String> mutable =
                MutableProperty.read(birth.request().mutable(), birth.medium().kind());
        Steps steps = peers.withoutReceived(name, plan, work); // which a call may have left that was cut
        return Optional.of(mutable.isEmpty() ? steps : steps.then(host.zfs().set(name.value(), mutable)));
    }

    /**
     * A copy that was cut before it had its marks is told by its snapshot, which nothing else has; one of
     * democratic-csi's may have that of a caller.
     */
    private void requireOurCopy(Birth birth, DatasetName name, BirthSteps plan, Work work) {
        String snapshot = layout.originFor(name, birth.id()).toString();
        if (!plan.copies()
                || (host.get(snapshot, List.of("type"), work).isEmpty()
                        && peers.received(name, plan, work).isEmpty())) {
            throw new StorageException(new Failure.NotOurs(birth.id().value(), "the dataset " + name));
        }
    }

    private static Optional<String> difference(Birth birth, VolumeProperties there, Map<String, String> properties) {
        StoredVolume begun = there.volume(birth.id());
        var sizeless = new StoredVolume(
                begun.id(), begun.name(), Optional.empty(), begun.medium(), begun.content(), begun.notes());
        return Compatibility.difference(
                        sizeless, birth.request(), birth.medium().kind())
                .or(() -> size(birth, there))
                .or(() -> notes(there.allNotes(), NoteProperties.read(properties)));
    }

    /** A block volume has its origin's size until it is given its own. */
    private static Optional<String> size(Birth birth, VolumeProperties there) {
        boolean grows = birth.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE
                && !birth.request().content().equals(Content.EMPTY);
        Capacity wanted = birth.capacity();
        return there.capacity()
                .filter(size -> grows ? wanted.isLessThan(size) : !wanted.equals(size))
                .map(size -> "its size is " + size + ", asked for is one of " + wanted);
    }

    /** Those that it was born with; where it will be mounted is not always known then. */
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

    /** No call has ever answered it, so this would be somebody's doing by hand. */
    private static void requireUnpublished(Birth birth, VolumeProperties there) {
        if (Access.of(there.allNotes()) instanceof Access.Nodes(Grants granted) && !granted.isEmpty()) {
            throw new StorageException(new Failure.VolumeConflict(
                    birth.id().value(), "it is not finished, and published all the same; delete it first"));
        }
    }
}
