package dev.fairlead.application.service.volume;

import dev.fairlead.application.port.in.volume.DeleteVolume;
import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.ContentTransfer.Begun;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.FailureCodes;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.application.service.node.NodeMounts;
import dev.fairlead.application.service.plan.ContentSource;
import dev.fairlead.application.service.transfer.Transfer;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses while something depends on the volume or uses it on this node; then unexports it, deletes it, and verifies
 * that it is gone.
 */
public record DeleteVolumeService(Connections connections, HandleCodec codec, KeyedLocks locks, NodeMounts mounts)
        implements DeleteVolume {
    private static final Logger log = LoggerFactory.getLogger(DeleteVolumeService.class);

    @Override
    public void delete(String text, Work work) {
        Optional<VolumeHandle> handle = codec.volume(text);
        if (handle.isEmpty()) {
            return;
        }
        try (ConnectionUse use = connections.use(handle.get().connection())) {
            if (use.backend().settings().retainOnDelete()) {
                return;
            }
            locks.exclusively(LockKey.volume(text), work, () -> {
                Optional<Begun> begun =
                        use.change(work, work.what(), (backend, its) -> delete(backend, handle.get(), text, its));
                if (begun.isPresent()) {
                    ContentSource.of(begun.get().content(), codec)
                            .ifPresent(contentSource -> letGo(contentSource, text, work));
                    use.run(work, work.what(), (backend, its) -> clear(backend, handle.get(), its));
                }
            });
        }
    }

    /** Releases what a transfer keeps at its source, before the volume is deleted: it could not be found afterwards. */
    private void letGo(ContentSource contentSource, String text, Work work) {
        try (ConnectionUse source = connections.use(contentSource.connection())) {
            Transfer.letGo(source, contentSource, text, work);
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
                            contentSource.handle());
        }
    }

    private static void clear(Backend backend, VolumeHandle handle, Work work) {
        backend.store().transfer().ifPresent(role -> role.receiver().clear(handle.id(), work));
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
        VolumeStore.DeletionCheck deletionCheck = store.deletionCheck(handle.id(), policy, work);
        Optional<Begun> begun = store.transfer()
                .filter(_ -> deletionCheck.volume().isEmpty())
                .flatMap((ContentTransfer role) -> role.receiver().begun(handle.id(), work));
        if (begun.isPresent()) {
            return begun;
        }
        deletionCheck.refuseIfBarred(text);
        deletionCheck
                .volume()
                .filter(_ -> mounts.areKnown())
                .flatMap(volume -> backend.exporter().attachment(volume, work))
                .ifPresent(attachment -> {
                    List<String> mountPoints = mounts.of(attachment, work);
                    if (!mountPoints.isEmpty()) {
                        throw mounted(text, mountPoints);
                    }
                });
        Optional<VolumeMedium> where =
                deletionCheck.volume().map(StoredVolume::medium).or(() -> store.placeOf(handle.id(), work));
        backend.exporter().unexport(handle.id(), where, deletionCheck.volume(), work);
        try {
            store.delete(handle.id(), policy, work); // which proves it absent
        } catch (StorageException refused) {
            deletionCheck
                    .volume()
                    .filter(_ -> FailureCodes.isFinal(refused))
                    .ifPresent(_ -> exportAgain(backend, handle, refused, work));
            throw refused;
        }
        return Optional.empty();
    }

    /**
     * Exports a volume again that the storage refuses to delete, such as for a snapshot that was taken after the look
     * for dependents: a refused deletion leaves the volume as it was, for the nodes that are recorded.
     */
    private static void exportAgain(Backend backend, VolumeHandle handle, StorageException refused, Work work) {
        try {
            backend.store().find(handle.id(), work).ifPresent(volume -> {
                Map<String, String> notes =
                        new HashMap<>(backend.exporter().export(volume, work).notes());
                notes.entrySet().removeAll(volume.notes().entrySet());
                if (!notes.isEmpty()) {
                    backend.store().note(handle.id(), notes, work);
                }
            });
        } catch (StorageException failed) {
            refused.addSuppressed(failed);
        }
    }

    private static StorageException mounted(String text, List<String> mountPoints) {
        String others = mountPoints.size() > 1 ? " and " + (mountPoints.size() - 1) + " more" : "";
        return new StorageException(new Failure.InUse(
                text,
                "a mount on this node, at " + mountPoints.getFirst() + others,
                "end the pods that use it, and wait until it is unmounted"));
    }
}
