package dev.fairlead.application.service;

import dev.fairlead.application.port.in.StageVolume;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.work.Work;

/** Finds the protocol that a volume's context names, and lets it stage the volume. */
record StageVolumeService(Attachers attachers, Mounter mounter, KeyedLocks locks) implements StageVolume {
    @Override
    public void stage(Command command, Work work) {
        Attachers.Staging staging = attachers.staging(
                command.handle(), command.staging(), command.capability(), command.context(), command.publishContext());
        locks.exclusively(Key.volume(command.handle()), work, () -> {
            mounter.makeDirectory(command.staging(), work);
            if (!staging.isDone(work)) {
                staging.carryOut(work);
            }
            return true;
        });
    }
}
