package dev.fairlead.application.service;

import dev.fairlead.application.port.in.DeleteVolume;
import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.ContentTransfer.Begun;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses while something depends on the volume or uses it on this node; then unexports it, deletes it, and verifies
 * that it is gone.
 */
record DeleteVolumeService(Connections connections, HandleCodec codec, KeyedLocks locks, NodeMounts mounts)
        implements DeleteVolume {
    private static final Logger log = LoggerFactory.getLogger(DeleteVolumeService.class);

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
            locks.exclusively(Key.volume(text), work, () -> {
                Optional<Begun> begun =
                        lease.change(work, work.what(), (backend, its) -> delete(backend, handle.get(), text, its));
                if (begun.isPresent()) {
                    Origin.of(begun.get().content(), codec).ifPresent(origin -> letGo(origin, text, work));
                    lease.change(work, work.what(), (backend, its) -> clear(backend, handle.get(), its));
                }
                return true;
            });
        }
    }

    /** Releases what a transfer keeps at its source, before the volume is deleted: it could not be found afterwards. */
    private void letGo(Origin origin, String text, Work work) {
        try (Lease source = connections.lease(origin.connection())) {
            Transfer.letGo(source, origin, text, work);
        } catch (StorageException thrown) {
            if (!(thrown.failure() instanceof Failure.ConnectionUnknown)) {
                throw thrown;
            }
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .log(
                            "the transfer to {} is given up; its hold on {} stays, since that connection has no file"
                                    + " any more",
                            text,
                            origin.handle());
        }
    }

    private static boolean clear(Backend backend, VolumeHandle handle, Work work) {
        backend.store().transfer().ifPresent(role -> role.arrival().clear(handle.id(), work));
        return true;
    }

    /**
     * Deletes the volume and its export, also if the store finds no volume: an export or leftovers may have outlived
     * it.
     *
     * @return a volume that is being transferred from another connection, and that was not deleted
     */
    private Optional<Begun> delete(Backend backend, VolumeHandle handle, String text, Work work) {
        VolumeStore store = backend.store();
        VolumeStore.OnDependents policy = backend.settings().onDependents();
        VolumeStore.Departure departure = store.departure(handle.id(), policy, work);
        Optional<Begun> begun = store.transfer()
                .filter(_ -> departure.volume().isEmpty())
                .flatMap((ContentTransfer role) -> role.arrival().begun(handle.id(), work));
        if (begun.isPresent()) {
            return begun;
        }
        departure.refuseIfBarred(text);
        departure
                .volume()
                .flatMap(volume -> backend.exporter().attachment(volume, work))
                .ifPresent(attachment -> {
                    List<String> mountPoints = mounts.of(attachment, work);
                    if (!mountPoints.isEmpty()) {
                        throw mounted(text, mountPoints);
                    }
                });
        Optional<VolumeMedium> where =
                departure.volume().map(StoredVolume::medium).or(() -> store.placeOf(handle.id(), work));
        backend.exporter().unexport(handle.id(), where, departure.volume(), work);
        store.delete(handle.id(), policy, work); // which proves it absent
        return Optional.empty();
    }

    private static StorageException mounted(String text, List<String> mountPoints) {
        String others = mountPoints.size() > 1 ? " and " + (mountPoints.size() - 1) + " more" : "";
        return new StorageException(new Failure.InUse(
                text,
                "a mount on this node, at " + mountPoints.getFirst() + others,
                "end the pods that use it, and wait until it is unmounted"));
    }
}
