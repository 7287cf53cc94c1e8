package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.UnstageVolume;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unmounts a staging path and detaches what was attached for it, unless another volume has the same device. This call
 * has no volume context: what to detach is known by the journal, or recognised by the mount if another driver made it.
 * The journal's entry goes last; it stays if a format was cut that may begin anew. A volume that was to grow and could
 * not while it was mounted grows then. Of a volume that the journal has, nothing is unmounted or detached while
 * something else is mounted at its place.
 */
public final class UnstageVolumeService implements UnstageVolume {
    private static final Logger log = LoggerFactory.getLogger(UnstageVolumeService.class);

    private final Attachers attachers;
    private final Mounter mounter;
    private final StageJournal journal;
    private final KeyedLocks locks;
    private final SharedDevices shared;
    private final UnmountedGrowth unmounted;
    /** The entries that the node's disk did not take, until their volumes are detached. */
    private final Map<String, StageJournal.Entry> unwritten = new ConcurrentHashMap<>();

    public UnstageVolumeService(
            Attachers attachers,
            Mounter mounter,
            StageJournal journal,
            KeyedLocks locks,
            SharedDevices shared,
            UnmountedGrowth unmounted) {
        this.attachers = attachers;
        this.mounter = mounter;
        this.journal = journal;
        this.locks = locks;
        this.shared = shared;
        this.unmounted = unmounted;
    }

    @Override
    public void unstage(String handle, Path staging, Work work) {
        Optional<VolumeAttacher<?>> growing = locks.changingAttachment(handle, work, () -> {
            Path device = StagingPaths.device(staging);
            Optional<StageJournal.Entry> entry = entry(handle, staging, device, work);
            Optional<VolumeAttacher<?>> volume =
                    entry.map(StageJournal.Entry::attachment).map(this::attacher);
            return volume.isPresent()
                    ? shared.exclusively(
                            volume.get(), work, () -> unstage(entry.orElseThrow(), volume.get(), staging, work))
                    : unmounted(handle, staging, device, work);
        });
        growing.ifPresent(volume -> unmounted.grow(handle, volume, work));
    }

    /** Unmounts what was never attached. */
    private Optional<VolumeAttacher<?>> unmounted(String handle, Path staging, Path device, Work work) {
        mounter.unmount(staging, work);
        mounter.removeDirectory(device, work);
        mounter.removeDirectory(staging, work);
        journal.remove(handle, work);
        return Optional.empty();
    }

    /** Returns the volume if it is to grow now. */
    private Optional<VolumeAttacher<?>> unstage(
            StageJournal.Entry entry, VolumeAttacher<?> volume, Path staging, Work work) {
        String handle = entry.handle();
        Path device = StagingPaths.device(staging);
        Optional<String> other = shared.other(handle, volume);
        if (other.isEmpty()) {
            refuseIfUsed(handle, volume, List.of(staging, device), work);
        }
        for (Path place : entry.block() ? List.of(device, staging) : List.of(staging)) {
            attachers.refuseForeign(entry, place, mounter, work); // before anything is taken away
        }
        if (entry.block()) {
            mounter.unmount(device, work);
        }
        mounter.unmount(staging, work);
        mounter.removeDirectory(device, work);
        boolean kept = shared.giveBack(entry, volume, other, work);
        other.ifPresent(it -> tellShared(handle, volume, it, work));
        unwritten.remove(handle);
        mounter.removeDirectory(staging, work);
        boolean grows = other.isEmpty()
                && journal.of(handle).filter(UnmountedGrowth::isWanted).isPresent();
        if (!kept && !grows) {
            journal.remove(handle, work);
        }
        return grows && !kept ? Optional.of(volume) : Optional.empty();
    }

    private static void tellShared(String handle, VolumeAttacher<?> volume, String other, Work work) {
        log.atInfo()
                .addKeyValue("request", work.requestId())
                .addKeyValue("volume", handle)
                .addKeyValue("device", volume.identity())
                .addKeyValue("other", other)
                .log("the device stays attached: another volume of this node has it");
    }

    /**
     * Returns the entry of a volume. If the journal has none and the mount is recognised, one is written, so that a
     * repeated call still knows what to detach once the mount is gone.
     */
    private Optional<StageJournal.Entry> entry(String handle, Path staging, Path device, Work work) {
        Optional<StageJournal.Entry> known = journal.of(handle).or(() -> Optional.ofNullable(unwritten.get(handle)));
        if (known.isPresent()) {
            return known;
        }
        Optional<MountEntry> staged = mounter.at(staging, work);
        Optional<MountEntry> raw = staged.isPresent() ? Optional.empty() : mounter.at(device, work);
        Optional<StageJournal.Entry> recognised = Stream.of(staged, raw)
                .flatMap(Optional::stream)
                .flatMap(mount -> attachers.behind(mount, work).stream())
                .filter(VolumeAttacher::outlivesMount)
                .findFirst()
                .map(it -> new StageJournal.Entry(
                        handle,
                        staging,
                        it.attachment(),
                        raw.isPresent(),
                        Map.of(Attacher.RECOGNISED, "its mount"),
                        Optional.empty()));
        recognised.ifPresent(it -> note(it, work));
        if (recognised.isEmpty() && raw.isPresent()) {
            mounter.unmount(device, work);
        }
        return recognised;
    }

    /**
     * Writes the entry of a volume that another driver staged. A disk of the node that is full does not keep the volume
     * on the node: it is remembered by this process only. One that dies before it has detached the volume leaves a
     * session behind, which does less harm than pods that cannot be taken away, now of all times.
     */
    private void note(StageJournal.Entry entry, Work work) {
        try {
            journal.write(entry, work);
        } catch (StorageException e) {
            if (!(e.failure() instanceof Failure.NodeDiskUnusable)) {
                throw e;
            }
            unwritten.put(entry.handle(), entry);
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("volume", entry.handle())
                    .addKeyValue("why", e.failure().message())
                    .log("a volume that another driver staged is unstaged without an entry in the journal");
        }
    }

    private VolumeAttacher<?> attacher(Attachment attachment) {
        return attachers
                .of(attachment)
                .orElseThrow(() -> new StorageException(new Failure.Unsupported(
                        "the volume was attached by a protocol that this node has no attacher for",
                        "run the node plugin that staged it")));
    }

    /** Refuses to take away what a pod still has mounted. */
    private void refuseIfUsed(String handle, VolumeAttacher<?> volume, List<Path> own, Work work) {
        List<String> places = own.stream().map(Path::toString).toList();
        mounter.table(work).stream()
                .filter(mount -> !places.contains(mount.mountPoint()))
                .filter(mount -> volume.shows(mount, work))
                .findFirst()
                .ifPresent(mount -> {
                    throw new StorageException(
                            new Failure.InUse(handle, "a mount at " + mount.mountPoint(), "unpublish it there first"));
                });
    }
}
