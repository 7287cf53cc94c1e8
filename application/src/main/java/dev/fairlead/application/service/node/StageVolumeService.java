package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.connection.UnusableConnection;
import dev.fairlead.application.service.node.VolumeAttacher.Wish;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stages a volume, in the same order for all protocols: it is checked, noted in the journal, attached, and made to
 * appear at its staging path. What {@link FailedStaging} says is answered to a call that fails.
 */
public record StageVolumeService(
        Attachers attachers,
        Mounter mounter,
        DeviceStaging devices,
        StaleMounts stale,
        StageJournal journal,
        FailedStaging failures,
        KeyedLocks locks,
        SharedDevices shared,
        UnusableConnection unusable,
        List<String> mountFlags)
        implements StageVolume {
    @Override
    public void stage(Command command, Work work) {
        locks.changingAttachment(command.handle(), work, () -> {
            Plan plan;
            try {
                plan = planned(command, work);
            } catch (RuntimeException | Error refused) { // an earlier call may have attached the volume
                throw refused(command, answered(refused), work);
            }
            try {
                shared.exclusively(plan.volume(), work, () -> attach(plan, command, work));
            } catch (RuntimeException | Error failed) {
                throw failed(plan, command, answered(failed), work);
            }
        });
    }

    /** Returns what is answered; an error of the program is a failure that is final, though something may be left. */
    private static RuntimeException answered(Throwable thrown) {
        return thrown instanceof RuntimeException failed
                ? failed
                : new IllegalStateException("an error of the program", thrown);
    }

    private RuntimeException failed(Plan plan, Command command, RuntimeException failed, Work work) {
        return plan.staged()
                ? refused(command, failed, work)
                : failures.undone(plan.volume(), plan.entry(), explained(command.handle(), failed), work);
    }

    private RuntimeException refused(Command command, RuntimeException refused, Work work) {
        return failures.refused(command.handle(), command.staging(), explained(command.handle(), refused), work);
    }

    /**
     * Holds what a call is about to do.
     *
     * @param staged whether the volume is at its place already
     */
    private record Plan(VolumeAttacher<?> volume, Wish wish, StageJournal.Entry entry, boolean staged) {}

    /** Refuses what can be refused, and notes in the journal what is about to be attached. */
    private Plan planned(Command command, Work work) {
        Wish wish = new Wish(
                        command.handle(),
                        command.capability(),
                        command.context(),
                        command.publishContext(),
                        StageSecrets.plain(command.secrets(), command.context()))
                .with(mountFlags);
        VolumeAttacher<?> volume = attachers.of(command.context());
        volume.check(wish);
        if (volume.offersBlock()) {
            devices.check(wish);
        }
        boolean block = command.capability().isBlock();
        Path place = block ? StagingPaths.device(command.staging()) : command.staging();
        boolean staged = isStaged(volume, place, command.staging(), work);
        if (!staged) {
            refuseUnprotectedReader(volume, wish, work);
        }
        StageJournal.Entry entry = new StageJournal.Entry(
                command.handle(),
                command.staging(),
                volume.attachment(),
                block,
                staged ? Map.of(Attacher.RECOGNISED, "its mount") : Map.of(),
                Optional.empty());
        return new Plan(volume, wish, volume.outlivesMount() ? remembered(entry, staged, work) : entry, staged);
    }

    private Plan attach(Plan plan, Command command, Work work) {
        if (!plan.staged()) { // once more: a writer may have come before this call got the device
            refuseUnprotectedReader(plan.volume(), plan.wish(), work);
        }
        mounter.makeDirectory(command.staging(), work);
        switch (plan.volume().attach(plan.wish(), work)) {
            // the operator's mount flags are for file systems, and a bind mount is none
            case Attached.Directory directory ->
                mounter.bind(directory, command.staging(), command.capability().mountFlags(), work);
            case Attached.Share(Mounter.Filesystem filesystem) -> {
                stale.heal(command.handle(), command.staging(), work);
                mounter.mount(filesystem, command.staging(), work);
            }
            case Attached.Device device -> devices.stage(device, plan.entry(), plan.wish(), work);
        }
        return plan;
    }

    /**
     * Refuses a reader of a device that another volume of this node may write to: making the device read-only would
     * take it from that one, and not doing so would let the reader's node write to it.
     */
    private void refuseUnprotectedReader(VolumeAttacher<?> volume, Wish wish, Work work) {
        if (!volume.outlivesMount() || !wish.isForReading()) {
            return;
        }
        shared.other(wish.handle(), volume)
                .filter(_ -> wish.capability().isBlock()
                        || mounter.table(work).stream()
                                .filter(it -> volume.shows(it, work))
                                .anyMatch(it -> !it.superOptions().contains("ro")))
                .ifPresent(other -> {
                    throw new StorageException(new Failure.InUse(
                            wish.handle(),
                            "volume " + other + " of this node, which may write to the same device",
                            "run the pod on another node, or use one PersistentVolume for both"));
                });
    }

    /** Returns whether the volume is at the place already; throws if something else is. */
    private boolean isStaged(VolumeAttacher<?> volume, Path place, Path staging, Work work) {
        boolean staged = false;
        for (Path path : place.equals(staging) ? List.of(staging) : List.of(staging, place)) {
            Optional<Mounter.MountEntry> mount = mounter.at(path, work);
            if (mount.isPresent() && !volume.shows(mount.get(), work)) {
                throw conflict(mount.get());
            }
            staged |= mount.isPresent();
        }
        return staged;
    }

    static StorageException conflict(Mounter.MountEntry mount) {
        return new StorageException(new Failure.MountConflict(
                mount.mountPoint(), "it shows " + mount.root() + " of " + mount.source() + ", not this volume"));
    }

    /**
     * Writes the entry of a volume, with what is known of it already: anew in any case if its file system was begun and
     * not finished, so that the journal tells when it was asked for last. Whoever gets the device itself may write to
     * it, so what was begun before is not gone on with after that.
     */
    private StageJournal.Entry remembered(StageJournal.Entry entry, boolean staged, Work work) {
        Optional<StageJournal.Entry> found = journal.of(entry.handle());
        Optional<StageJournal.Entry> known = found.filter(it -> it.attachment().equals(entry.attachment()));
        if (found.filter(it -> !CutFormats.isGivenBack(it)).isPresent() && known.isEmpty()) {
            throw new StorageException(new Failure.MountConflict(
                    entry.staging().toString(),
                    "the volume is attached to this node by another volume_context; it has to be unstaged first"));
        }
        StageJournal.Entry now = new StageJournal.Entry(
                entry.handle(),
                entry.staging(),
                entry.attachment(),
                entry.block(),
                known.orElse(entry).facts(),
                known.flatMap(StageJournal.Entry::filesystem).filter(it -> it.finished() || !entry.block()));
        if (CutFormats.isCut(now) || known.filter(now::equals).isEmpty()) {
            journal.write(now, work);
        } else if (!staged && now.filesystem().isPresent()) {
            writeAnew(now, work);
        }
        return now;
    }

    /**
     * Writes an entry as it is, so that what it knows of a file system is not given up while the volume is asked for. A
     * disk of the node that is full keeps no volume from being staged by that.
     */
    private void writeAnew(StageJournal.Entry entry, Work work) {
        try {
            journal.write(entry, work);
        } catch (StorageException e) {
            if (!(e.failure() instanceof Failure.NodeDiskUnusable)) {
                throw e;
            }
        }
    }

    /**
     * Explains an invalid request: returns why the volume's connection is unusable if it is, since without its file its
     * volumes' paths are refused; else returns the refusal.
     */
    private RuntimeException explained(String handle, RuntimeException refused) {
        return refused instanceof StorageException known && known.failure() instanceof Failure.InvalidRequest
                ? unusable.of(handle)
                        .<RuntimeException>map(failure -> new StorageException(failure, refused))
                        .orElse(refused)
                : refused;
    }
}
