package dev.fairlead.application.service.create;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.FailureCodes;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.Optional;

/**
 * Decides what a caller is told when a creation failed: a final failure only once nothing is left of it, and otherwise
 * one after which the caller tries again.
 */
record FailedCreation(Backend backend, Birth birth) {
    /**
     * Returns the failure after the store could not make the volume. Removes what may be left unfinished if the failure
     * does not exclude that.
     */
    RuntimeException ofStore(RuntimeException thrown, Work work) {
        if (!FailureCodes.isFinal(thrown)) {
            return thrown;
        }
        Work finishing = work.finishing();
        try {
            if (store().existing(birth, finishing).isPresent()) {
                return FailureCodes.toBeRetried(backend.name(), thrown);
            }
            if (FailureCodes.mayHaveLeftSomething(thrown)) {
                removeUnfinished(birth.id(), finishing);
            }
            return thrown;
        } catch (RuntimeException unknown) {
            thrown.addSuppressed(unknown);
            return FailureCodes.toBeRetried(backend.name(), thrown);
        }
    }

    private void removeUnfinished(NativeId id, Work finishing) {
        try {
            store().delete(id, VolumeStore.OnDependents.REFUSE, finishing);
        } catch (StorageException refused) {
            if (!(refused.failure() instanceof Failure.NotOurs)) { // somebody else's volume was not left by this call
                throw refused;
            }
        }
    }

    /** Returns the failure after a volume that this call made could not be exported; removes that volume first. */
    RuntimeException ofExport(StoredVolume volume, RuntimeException thrown, Work work) {
        if (!FailureCodes.isFinal(thrown)) {
            return thrown;
        }
        try {
            remove(volume, work.finishing());
            return thrown;
        } catch (RuntimeException stays) {
            thrown.addSuppressed(stays);
            return FailureCodes.toBeRetried(backend.name(), thrown);
        }
    }

    private void remove(StoredVolume volume, Work finishing) {
        backend.exporter().unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), finishing);
        store().delete(volume.id(), VolumeStore.OnDependents.REFUSE, finishing);
        if (store().find(volume.id(), finishing).isPresent()) {
            throw untrue(backend, volume.id());
        }
    }

    /** Returns the failure after a volume that was made or removed is not read back so. */
    static StorageException untrue(Backend backend, NativeId id) {
        return new StorageException(new Failure.Unintelligible(
                backend.name().value(), "volume " + id + " was made or removed, and reading it back says otherwise"));
    }

    private VolumeStore store() {
        return backend.store();
    }
}
