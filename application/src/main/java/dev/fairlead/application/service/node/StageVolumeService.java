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
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stages a volume, in the same order for all protocols: it is checked, noted in the journal, attached, and made to
 * appear at its staging path. What was attached by a call that ends in a failure is detached again, since kubelet does
 * not unstage what was never staged.
 */
public record StageVolumeService(
        Attachers attachers,
        Mounter mounter,
        DeviceStaging devices,
        StaleMounts stale,
        StageJournal journal,
        CutFormats cuts,
        KeyedLocks locks,
        SharedDevices shared,
        UnusableConnection unusable,
        List<String> mountFlags)
        implements StageVolume {
    private static final Logger log = LoggerFactory.getLogger(StageVolumeService.class);

    @Override
    public void stage(Command command, Work work) {
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
        locks.changingAttachment(command.handle(), work, () -> {
            try {
                shared.exclusively(volume, work, () -> stage(volume, command, wish, work));
            } catch (StorageException refused) {
                throw explained(command.handle(), refused);
            }
        });
    }

    private boolean stage(VolumeAttacher<?> volume, Command command, Wish wish, Work work) {
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
        if (volume.outlivesMount()) {
            entry = remembered(entry, work);
        }
        try {
            mounter.makeDirectory(command.staging(), work);
            switch (volume.attach(wish, work)) {
                // the operator's mount flags are for file systems, and a bind mount is none
                case Attached.Directory directory ->
                    mounter.bind(
                            directory, command.staging(), command.capability().mountFlags(), work);
                case Attached.Share(Mounter.Filesystem filesystem) -> {
                    stale.heal(command.handle(), command.staging(), work);
                    mounter.mount(filesystem, command.staging(), work);
                }
                case Attached.Device device -> devices.stage(device, entry, wish, work);
            }
        } catch (StorageException failed) {
            if (!staged && volume.outlivesMount()) {
                undo(volume, entry, failed, work);
            }
            throw failed;
        }
        return true;
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
    private StageJournal.Entry remembered(StageJournal.Entry entry, Work work) {
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
        }
        return now;
    }

    /**
     * Detaches what a failed call attached. The failure goes to the caller whatever this comes to: if it fails as well,
     * the journal keeps the entry.
     */
    private void undo(VolumeAttacher<?> volume, StageJournal.Entry entry, StorageException failed, Work work) {
        if (!FinalCodes.isFinal(failed.failure())) {
            return; // the caller asks again, and goes on from here
        }
        try {
            boolean mounted = mounter.table(work).stream().anyMatch(it -> volume.shows(it, work));
            StageJournal.Entry now = journal.of(entry.handle()).orElse(entry);
            boolean ofAnother = shared.other(entry.handle(), volume).isPresent();
            if (ofAnother || !mounted) {
                var _ = cuts.giveBack(now, work);
                if (!ofAnother) {
                    volume.detach(entry.facts(), work);
                }
                // what this node knows of the volume is what the next call has to be refused by, too
                if (!CutFormats.isCut(now) && !(failed.failure() instanceof Failure.FilesystemConflict)) {
                    journal.remove(entry.handle(), work);
                }
            }
        } catch (StorageException e) {
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("volume", entry.handle())
                    .setCause(e)
                    .log("what a failed call attached could not be detached; the journal keeps it");
        }
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
