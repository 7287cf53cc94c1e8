package dev.fairlead.application.service.publish;

import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Revocation;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.NoteChange;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the record of the nodes that have a closed volume and the access that the storage gives the same. A change that
 * another process records at the same time is seen afterwards, and both are made to agree again, so that no grant is
 * lost.
 */
record GrantReconciler(Backend backend, StoredVolume volume, String handle, Work work) {
    /** The number of attempts, more than the processes that change one volume's grants at the same moment. */
    private static final int MOST_ROUNDS = 5;

    /**
     * Returns the exporter's role that lets nodes reach a closed volume; throws if it has none, as it may if it is not
     * the exporter of the volume's creation.
     */
    static AccessControl control(Backend backend, String handle) {
        return backend.exporter().accessControl().orElseThrow(() -> unable(backend, handle, "can let none in"));
    }

    private static StorageException unable(Backend backend, String handle, String lack) {
        return new StorageException(new Failure.BackendRejected(
                backend.name().value(),
                "volume " + handle + " is closed to all but the nodes that it is published to, and driver "
                        + backend.driverType() + " " + lack + "; serve it by a connection of the driver that made it"));
    }

    /** Records the grant and then lets the node in, in this order, so that every node with access is recorded. */
    void grant(AccessControl control, Grant wanted) {
        StoredVolume seen = volume;
        boolean admitted = false;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Grants now = recorded(seen);
            try {
                refuse(now, wanted);
            } catch (StorageException e) {
                if (admitted) {
                    control.admit(seen, now, work); // removes the access that this call gave, no longer recorded
                }
                throw e;
            }
            Grants next = now.with(wanted);
            boolean admits = next.equals(now) || isRecorded(backend.store(), seen, next);
            if (admits) {
                control.admit(recording(seen, next), next, work);
                admitted = true;
            }
            seen = look(backend.store()).orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(handle)));
            if (admits && recorded(seen).equals(next)) {
                return;
            }
        }
        throw restless();
    }

    private void refuse(Grants now, Grant wanted) {
        now.of(wanted.node()).flatMap(own -> own.difference(wanted)).ifPresent(difference -> {
            throw new StorageException(new Failure.PublishConflict(handle, wanted.node(), difference));
        });
        now.inTheWayOf(wanted).ifPresent(other -> {
            throw new StorageException(new Failure.PublishedToOtherNode(
                    handle, other.node(), other.mode().name()));
        });
    }

    /**
     * Shuts the node out and then removes its grant from the record, so that a repeated call finishes an interrupted
     * one. Until the grant is removed, another process may have let the node in again by it, so it is shut out once
     * more then.
     *
     * @param node empty: all nodes
     */
    void revoke(Optional<String> node) {
        Revocation control =
                backend.exporter().revocation().orElseThrow(() -> unable(backend, handle, "can shut none out"));
        VolumeStore store = backend.store().fencing();
        Optional<StoredVolume> seen = Optional.of(volume);
        for (int round = 0; seen.isPresent() && round < MOST_ROUNDS; round++) {
            Grants now = recorded(seen.get());
            Grants next = node.map(now::without).orElse(Grants.NONE);
            control.revoke(seen.get(), next, work);
            boolean struck = next.equals(now) || isRecorded(store, seen.get(), next);
            seen = look(store);
            if (struck
                    && seen.map(GrantReconciler::recorded).filter(next::equals).isPresent()) {
                if (!next.equals(now)) {
                    control.revoke(seen.get(), next, work);
                }
                return;
            }
        }
        if (seen.isPresent()) {
            throw restless();
        }
    }

    /**
     * Records the grants, and returns whether it did; it does not if another process has changed the record since it
     * was seen.
     */
    private boolean isRecorded(VolumeStore store, StoredVolume seen, Grants next) {
        String before = seen.notes().getOrDefault(Access.GRANTS, "");
        return store.change(volume.id(), new NoteChange(Access.GRANTS, before, next.text()), work);
    }

    private static StoredVolume recording(StoredVolume seen, Grants grants) {
        Map<String, String> notes = new HashMap<>(seen.notes());
        notes.putAll(grants.note());
        return seen.withNotes(notes);
    }

    private Optional<StoredVolume> look(VolumeStore store) {
        return store.find(volume.id(), work);
    }

    private static Grants recorded(StoredVolume volume) {
        return Access.of(volume.notes()) instanceof Access.Nodes(var grants) ? grants : Grants.NONE;
    }

    private StorageException restless() {
        return new StorageException(new Failure.BackendUnavailable(
                backend.name().value(),
                "others changed who has volume " + handle + " each of " + MOST_ROUNDS + " times; it is tried again"));
    }
}
