package dev.fairlead.application.service;

import dev.fairlead.application.port.out.export.AccessControl;
import dev.fairlead.application.port.out.export.Revocation;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.NoteChange;
import dev.fairlead.application.port.work.Work;
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
 * Brings the record of who has a closed volume and what the storage lets in to the same. What another process records
 * at the same time is seen afterwards, and then both are made to agree again: nobody's grant is lost.
 */
record Admission(Backend backend, StoredVolume volume, String handle, Work work) {
    /** More others than this who change the same volume's grants in the same moment are not met with. */
    private static final int MOST_ROUNDS = 5;

    /** How the nodes of a closed volume are let in, by an exporter that may be another than at the volume's birth. */
    static AccessControl control(Backend backend, String handle) {
        return backend.exporter().accessControl().orElseThrow(() -> unable(backend, handle, "can let none in"));
    }

    private static StorageException unable(Backend backend, String handle, String lack) {
        return new StorageException(new Failure.BackendRejected(
                backend.name().value(),
                "volume " + handle + " is closed to all but the nodes that it is published to, and driver "
                        + backend.driverType() + " " + lack + "; serve it by a connection of the driver that made it"));
    }

    /** Recorded first, so that what is let in is always on the record. */
    void grant(AccessControl control, Grant wanted) {
        StoredVolume seen = volume;
        boolean admitted = false;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Grants now = recorded(seen);
            try {
                refuse(now, wanted);
            } catch (StorageException e) {
                if (admitted) {
                    control.admit(seen, now, work); // what this call has let in is no longer on the record
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
            throw new StorageException(new Failure.PublicationConflict(handle, wanted.node(), difference));
        });
        now.inTheWayOf(wanted).ifPresent(other -> {
            throw new StorageException(new Failure.PublishedToOther(
                    handle, other.node(), other.mode().name()));
        });
    }

    /**
     * Taken off the record last, so that a call that is cut leaves it to a repeated one.
     *
     * @param node none: all of them
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
            if (struck && seen.map(Admission::recorded).filter(next::equals).isPresent()) {
                return;
            }
        }
        if (seen.isPresent()) {
            throw restless();
        }
    }

    /** False where another has changed the record since it was seen. */
    private boolean isRecorded(VolumeStore store, StoredVolume seen, Grants next) {
        String before = seen.notes().getOrDefault(Access.GRANTS, "");
        return store.change(volume.id(), new NoteChange(Access.GRANTS, before, next.text()), work);
    }

    private static StoredVolume recording(StoredVolume seen, Grants grants) {
        Map<String, String> notes = new HashMap<>(seen.notes());
        notes.putAll(grants.note());
        return new StoredVolume(seen.id(), seen.name(), seen.capacity(), seen.medium(), seen.content(), notes);
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
