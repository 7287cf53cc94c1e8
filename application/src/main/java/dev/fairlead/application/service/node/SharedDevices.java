package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Tells of the devices that several volumes of this node have. PersistentVolumes made by hand may name one LUN,
 * namespace or dataset more than once, under several handles; the journal has an entry for each.
 */
public record SharedDevices(Attachers attachers, StageJournal journal, CutFormats cuts, KeyedLocks locks) {
    /** Runs the body while no call on another volume of the same device attaches or detaches it. */
    <T> T exclusively(VolumeAttacher<?> volume, Work work, Supplier<T> body) {
        return volume.outlivesMount() ? locks.exclusively(LockKey.device(volume.identity()), work, body) : body.get();
    }

    /**
     * Returns another volume of this node that has the same device and has not given it back.
     *
     * @param handle of the volume that asks
     */
    Optional<String> other(String handle, VolumeAttacher<?> volume) {
        return others(handle, volume)
                .filter(it -> !CutFormats.isGivenBack(it))
                .map(StageJournal.Entry::handle)
                .sorted()
                .findFirst();
    }

    private Stream<StageJournal.Entry> others(String handle, VolumeAttacher<?> volume) {
        return others(journal.inventory(), handle, volume);
    }

    private Stream<StageJournal.Entry> others(
            StageJournal.Inventory inventory, String handle, VolumeAttacher<?> volume) {
        return inventory.entries().stream()
                .filter(it -> !it.handle().equals(handle))
                .filter(it -> attachers
                        .of(it.attachment())
                        .filter(other -> other.identity().equals(volume.identity()))
                        .isPresent());
    }

    /**
     * Refuses to make a file system on the device of an entry if another volume of this node may have written to it,
     * such as one whose entry cannot be read. One that is only about to be staged has not: if that one counted, two of
     * them would refuse each other for ever.
     */
    void refuseFormat(StageJournal.Entry entry, Path device) {
        StageJournal.Inventory inventory = journal.inventory();
        attachers.of(entry.attachment()).stream()
                .flatMap(volume -> others(inventory, entry.handle(), volume))
                .filter(it -> !CutFormats.isGivenBack(it))
                .filter(it -> it.block() || it.filesystem().isPresent())
                .map(StageJournal.Entry::handle)
                .sorted()
                .findFirst()
                .ifPresent(other -> {
                    throw new StorageException(new Failure.InUse(
                            entry.handle(),
                            "volume " + other + " of this node, which may write to the same device, and a file system"
                                    + " would have to be made on it",
                            "remove the pods of that one first, or use one PersistentVolume for both"));
                });
        inventory.unreadable().stream().findFirst().ifPresent(it -> {
            throw new StorageException(
                    new Failure.JournalUnreadable(entry.handle(), device.toString(), it.place(), it.why()));
        });
    }

    /**
     * Lets no other volume of the device begin anew the making of a file system that was cut off, since a volume that
     * may write to the device gets it now. One that is marked so keeps the session no more, so whether that was taken
     * over from another driver is noted with this volume first. The caller has the device exclusively.
     *
     * @return the entry of the volume that gets the device, as it is now
     */
    StageJournal.Entry takeOver(StageJournal.Entry entry, Work work) {
        List<StageJournal.Entry> cut = attachers.of(entry.attachment()).stream()
                .flatMap(volume -> others(entry.handle(), volume))
                .filter(CutFormats::isCut)
                .toList();
        StageJournal.Entry now = cut.stream()
                .filter(it -> !CutFormats.isGivenBack(it))
                .flatMap(it -> Stream.ofNullable(it.facts().get(Attacher.RECOGNISED)))
                .filter(_ -> !entry.facts().containsKey(Attacher.RECOGNISED))
                .findFirst()
                .map(how -> entry.with(with(entry.facts(), how)))
                .orElse(entry);
        if (!now.equals(entry)) {
            journal.write(now, work);
        }
        cut.forEach(other -> locks.exclusively(
                LockKey.attachment(other.handle()),
                work,
                () -> journal.of(other.handle()).ifPresent(it -> cuts.giveUp(it, work))));
        return now;
    }

    /**
     * Gives the device of a volume back: detaches it, or leaves it to another volume of this node that has it. The
     * caller has the device exclusively.
     *
     * @param other what {@link #other} told
     * @return whether the entry lets a later stage begin a cut format anew
     */
    boolean giveBack(StageJournal.Entry entry, VolumeAttacher<?> volume, Optional<String> other, Work work) {
        boolean kept = cuts.giveBack(entry, other.isPresent(), work);
        other.ifPresentOrElse(it -> handOver(entry, it, work), () -> volume.detach(entry.facts(), work));
        return kept;
    }

    /**
     * Notes with the other volume that the session was taken over from another driver, if it was: a session of others
     * is left alone when a volume is detached, so nobody would end this one. So it notes the size to which the storage
     * is to grow once nobody has the device.
     */
    private void handOver(StageJournal.Entry from, String other, Work work) {
        Optional<String> how = Optional.ofNullable(from.facts().get(Attacher.RECOGNISED));
        if (how.isEmpty() && !UnmountedGrowth.isWanted(from)) {
            return;
        }
        locks.exclusively(
                LockKey.attachment(other),
                work,
                () -> journal.of(other).ifPresent(it -> {
                    StageJournal.Entry now = how.filter(_ -> !it.facts().containsKey(Attacher.RECOGNISED))
                            .map(taken -> it.with(with(it.facts(), taken)))
                            .orElse(it);
                    now = UnmountedGrowth.handedOver(from, now);
                    if (!now.equals(it)) {
                        journal.write(now, work);
                    }
                }));
    }

    private static Map<String, String> with(Map<String, String> facts, String how) {
        Map<String, String> all = new HashMap<>(facts);
        all.put(Attacher.RECOGNISED, how);
        return all;
    }
}
