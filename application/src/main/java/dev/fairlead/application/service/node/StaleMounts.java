package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.Silence;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds mounts whose server does not answer any more, and takes away one that is lost for good and that no pod uses.
 */
public record StaleMounts(Mounter mounter) {
    private static final String WAIT = "it comes back by itself once the server answers";

    /** Throws {@code StaleMount} if what is mounted at the path does not answer. */
    void refuse(String handle, Path path, Work work) {
        mounter.silence(path, work).ifPresent(silence -> {
            throw stale(handle, path, silence);
        });
    }

    /**
     * Takes a lost mount away, so that the volume can be mounted anew. A mount that merely waits for its server stays,
     * since data may be on the way there; so does one that a pod shows.
     *
     * @return whether there is none any more
     * @throws StorageException {@code StaleMount} if a mount is there, does not answer, and has to stay
     */
    boolean heal(String handle, Path staging, Work work) {
        Optional<MountEntry> mount = mounter.at(staging, work);
        if (mount.isEmpty()) {
            return true;
        }
        Optional<Silence> silence = mounter.silence(staging, work);
        if (silence.isEmpty()) {
            return false;
        }
        if (!silence.get().lost() || isUsed(mount.get(), work)) {
            throw stale(handle, staging, silence.get());
        }
        mounter.unmountLazily(staging, work);
        return true;
    }

    private boolean isUsed(MountEntry mount, Work work) {
        return mounter.table(work).stream().anyMatch(other -> other.id() != mount.id() && mount.holds(other));
    }

    /** Returns the failure of a call for a volume whose mount does not answer. */
    public static StorageException stale(String handle, Path path, Silence silence) {
        String remedy = silence.lost()
                ? "delete the pods that use the volume on this node, so that it is mounted anew"
                : WAIT + ", or delete the pods that use the volume on this node";
        return new StorageException(new Failure.StaleMount(handle, path.toString(), silence.detail(), remedy));
    }
}
