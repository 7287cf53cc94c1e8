package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.Key;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Optional;

/** Finds the protocol that a volume's context names, and lets it stage the volume. */
public record StageVolumeService(Attachers attachers, Mounter mounter, KeyedLocks locks, UnusableConnection unusable)
        implements StageVolume {
    @Override
    public void stage(Command command, Work work) {
        Attachers.Staging staging = attachers.staging(
                command.handle(), command.staging(), command.capability(), command.context(), command.publishContext());
        locks.exclusively(Key.volume(command.handle()), work, () -> {
            mounter.makeDirectory(command.staging(), work);
            try {
                staging.isDone(work); // throws if something else is mounted there
                staging.carryOut(work); // also if it is staged, to verify the flags that are asked for
            } catch (StorageException refused) {
                throw explained(command.handle(), refused);
            }
            return true;
        });
    }

    /**
     * Explains an invalid request: returns why the volume's connection is unusable if it is, since without its file its
     * volumes' paths are refused; else returns the refusal.
     */
    private StorageException explained(String handle, StorageException refused) {
        return Optional.of(refused)
                .filter(it -> it.failure() instanceof Failure.InvalidRequest)
                .flatMap(_ -> unusable.of(handle))
                .map(failure -> new StorageException(failure, refused))
                .orElse(refused);
    }
}
