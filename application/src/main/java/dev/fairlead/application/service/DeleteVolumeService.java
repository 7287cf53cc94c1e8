package dev.fairlead.application.service;

import dev.fairlead.application.port.in.DeleteVolume;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import java.util.Optional;

/** Refuses while something depends on the volume; then unexports, deletes, and looks whether it is gone. */
record DeleteVolumeService(Connections connections, HandleCodec codec, KeyedLocks locks) implements DeleteVolume {
    @Override
    public void delete(String text, Work work) {
        Optional<VolumeHandle> handle = codec.volume(text);
        if (handle.isEmpty()) {
            return;
        }
        try (Lease lease = connections.lease(handle.get().connection())) {
            if (lease.backend().settings().retainOnDelete()) {
                return;
            }
            locks.exclusively(
                    Key.volume(text),
                    work,
                    () -> lease.change(work, work.what(), (backend, its) -> delete(backend, handle.get(), text, its)));
        }
    }

    /** Also where the store finds nothing: an export may have outlived its volume, and leftovers be there. */
    private static boolean delete(Backend backend, VolumeHandle handle, String text, Work work) {
        VolumeStore store = backend.store();
        VolumeStore.OnDependents policy = backend.settings().onDependents();
        VolumeStore.Departure departure = store.departure(handle.id(), policy, work);
        departure.refuseIfBarred(text);
        backend.exporter().unexport(handle.id(), departure.volume(), work);
        store.delete(handle.id(), policy, work); // which proves it absent
        return true;
    }
}
