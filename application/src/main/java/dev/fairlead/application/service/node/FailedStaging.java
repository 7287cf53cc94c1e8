package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.FailureCodes;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses what a stage answers that has failed for good, and takes away before what is left of its volume.
 *
 * <p>After a final code kubelet takes the volume for absent: it never unstages it, and another node gets it. So such a
 * code is answered only once the volume was seen to be gone from this node; else the failure is one after which the
 * caller asks again.
 */
public record FailedStaging(Attachers attachers, Mounter mounter, StageJournal journal, SharedDevices shared) {
    private static final Logger log = LoggerFactory.getLogger(FailedStaging.class);

    /**
     * Returns what a call answers that did not come to attach its volume, or found it staged. An earlier one may have
     * attached it: that is detached, if it is not mounted, and forgotten. An entry that stayed would let the volume be
     * detached later from whoever has attached it by then, and would be in the way of another volume_context; only what
     * is known of a file system stays, since the next call has to be refused by that, and that the volume is to grow.
     */
    RuntimeException refused(String handle, Path staging, RuntimeException failed, Work work) {
        return answer(handle, failed, work, () -> {
            Optional<StageJournal.Entry> entry = journal.of(handle);
            return entry.isPresent() ? forgotten(entry.get(), work) : unrecorded(staging, work);
        });
    }

    /** Returns what a call answers before which the volume was not staged, and undoes what it has done. */
    RuntimeException undone(VolumeAttacher<?> volume, StageJournal.Entry began, RuntimeException failed, Work work) {
        // the device is kept until the entry is gone: who gets it next is not to find a volume that has it no more
        return answer(
                began.handle(), failed, work, () -> shared.exclusively(volume, work, () -> undo(volume, began, work)));
    }

    private Optional<String> undo(VolumeAttacher<?> volume, StageJournal.Entry began, Work work) {
        for (Path place : StagingPaths.all(began.staging())) {
            if (mounter.at(place, work).filter(it -> volume.shows(it, work)).isPresent()) {
                mounter.unmount(place, work); // it came with this call, and nobody else can have got it
            }
        }
        Optional<StageJournal.Entry> entry = journal.of(began.handle());
        Optional<String> left = entry.flatMap(
                it -> it.attachment().equals(volume.attachment()) ? left(it, volume, work) : left(it, work));
        // what this node knew of the volume before is what the next call has to be refused by, too
        boolean kept = began.filesystem().isPresent()
                || entry.filter(it -> CutFormats.isCut(it) || UnmountedGrowth.isWanted(it))
                        .isPresent();
        if (left.isEmpty() && volume.outlivesMount() && !kept) {
            journal.remove(began.handle(), work);
        }
        return left;
    }

    private Optional<String> forgotten(StageJournal.Entry entry, Work work) {
        Optional<VolumeAttacher<?>> volume = attachers.of(entry.attachment());
        return volume.isPresent()
                ? shared.exclusively(volume.get(), work, () -> forgotten(entry, volume.get(), work))
                : left(entry, work);
    }

    private Optional<String> forgotten(StageJournal.Entry entry, VolumeAttacher<?> volume, Work work) {
        Optional<String> left = left(entry, volume, work);
        if (left.isEmpty() && entry.filesystem().isEmpty() && !UnmountedGrowth.isWanted(entry)) {
            journal.remove(entry.handle(), work);
        }
        return left;
    }

    /** Detaches a volume, unless it is mounted, and says what is left of it. */
    private Optional<String> left(StageJournal.Entry entry, Work work) {
        Optional<VolumeAttacher<?>> volume = attachers.of(entry.attachment());
        return volume.isPresent()
                ? shared.exclusively(volume.get(), work, () -> left(entry, volume.get(), work))
                : Optional.of("an attachment by a protocol that no attacher of this node is for");
    }

    /**
     * Detaches the volume, and says what is left; only its own places count if another volume has the device, which
     * stays attached then.
     */
    private Optional<String> left(StageJournal.Entry entry, VolumeAttacher<?> volume, Work work) {
        List<String> own =
                StagingPaths.all(entry.staging()).stream().map(Path::toString).toList();
        Optional<String> other = shared.other(entry.handle(), volume);
        Optional<MountEntry> mount = mounter.table(work).stream()
                .filter(it -> other.isEmpty() || own.contains(it.mountPoint()))
                .filter(it -> volume.shows(entry.facts(), it, work) || attachers.isLeftBy(entry, it, work))
                .findFirst();
        if (mount.isEmpty()) {
            var _ = shared.giveBack(entry, volume, other, work);
        }
        return mount.map(FailedStaging::inWords);
    }

    /** Says what another driver, or an older version, has staged at the path that is to be detached one day. */
    private Optional<String> unrecorded(Path staging, Work work) {
        return StagingPaths.all(staging).stream()
                .flatMap(it -> mounter.at(it, work).stream())
                .filter(it -> attachers
                        .behind(it, work)
                        .filter(VolumeAttacher::outlivesMount)
                        .isPresent())
                .findFirst()
                .map(FailedStaging::inWords);
    }

    private static String inWords(MountEntry mount) {
        return "a mount at " + mount.mountPoint();
    }

    private static RuntimeException answer(
            String handle, RuntimeException failed, Work work, Supplier<Optional<String>> undoing) {
        if (!FailureCodes.isFinal(failed)) {
            return failed; // the caller asks again, and goes on from here
        }
        return leftBy(failed, undoing)
                .<RuntimeException>map(left -> halfStaged(handle, failed, left, work))
                .orElse(failed);
    }

    private static Optional<String> leftBy(RuntimeException failed, Supplier<Optional<String>> undoing) {
        try {
            return undoing.get();
        } catch (RuntimeException e) {
            if (!e.equals(failed)) {
                failed.addSuppressed(e);
            }
            return Optional.of("what could not be taken away (" + inWords(e) + ")");
        } catch (Error e) { // nothing is known of what is left, so no final code is answered
            failed.addSuppressed(e);
            return Optional.of("what could not be taken away (an error of the program)");
        }
    }

    private static StorageException halfStaged(String handle, RuntimeException failed, String left, Work work) {
        log.atWarn()
                .addKeyValue("request", work.requestId())
                .addKeyValue("volume", handle)
                .addKeyValue("left", left)
                .setCause(failed)
                .log("a volume could not be staged, and something of it is left; the journal keeps it");
        return new StorageException(new Failure.HalfStaged(handle, inWords(failed), left), failed);
    }

    private static String inWords(RuntimeException failed) {
        return failed instanceof StorageException known
                ? known.failure().code() + " " + known.failure().message()
                : "an error inside Fairlead, which its log explains";
    }
}
