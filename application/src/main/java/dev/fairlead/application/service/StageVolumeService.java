package dev.fairlead.application.service;

import dev.fairlead.application.port.in.StageVolume;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Optional;

/** Finds the protocol that a volume's context names, and lets it stage the volume. */
record StageVolumeService(Attachers attachers, Mounter mounter, KeyedLocks locks, UnusableConnection unusable)
        implements StageVolume {
    @Override
    public void stage(Command command, Work work) {
        Attachers.Staging staging = attachers.staging(
                command.handle(), command.staging(), command.capability(), command.context(), command.publishContext());
        locks.exclusively(Key.volume(command.handle()), work, () -> {
            mounter.makeDirectory(command.staging(), work);
            try {
                staging.isDone(work); // or there is another volume
                staging.carryOut(work); // and what is done is found to be so, with the flags that are asked for
            } catch (StorageException refused) {
                throw explained(command.handle(), refused);
            }
            return true;
        });
    }

    /** What would be allowed to a connection's volume is refused where the connection's file is not there. */
    private StorageException explained(String handle, StorageException refused) {
        return Optional.of(refused)
                .filter(it -> it.failure() instanceof Failure.InvalidRequest)
                .flatMap(_ -> unusable.of(handle))
                .map(failure -> new StorageException(failure, refused))
                .orElse(refused);
    }
}
