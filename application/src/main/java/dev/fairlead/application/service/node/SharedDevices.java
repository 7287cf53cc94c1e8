package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tells of the devices that several volumes of this node have. PersistentVolumes made by hand may name one LUN,
 * namespace or dataset more than once, under several handles; the journal has an entry for each.
 */
public record SharedDevices(Attachers attachers, StageJournal journal, KeyedLocks locks) {
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
        return journal.inventory().entries().stream()
                .filter(it -> !it.handle().equals(handle))
                .filter(it -> !CutFormats.isGivenBack(it))
                .filter(it -> attachers
                        .of(it.attachment())
                        .filter(other -> other.identity().equals(volume.identity()))
                        .isPresent())
                .map(StageJournal.Entry::handle)
                .sorted()
                .findFirst();
    }

    /**
     * Notes with the other volume that the session was taken over from another driver, if it was. A session of others
     * is left alone when a volume is detached, so nobody would end this one.
     */
    void handOver(StageJournal.Entry from, String other, Work work) {
        String how = from.facts().get(Attacher.RECOGNISED);
        if (how != null) {
            locks.exclusively(
                    LockKey.attachment(other),
                    work,
                    () -> journal.of(other)
                            .filter(it -> !it.facts().containsKey(Attacher.RECOGNISED))
                            .ifPresent(it -> journal.write(it.with(with(it.facts(), how)), work)));
        }
    }

    private static Map<String, String> with(Map<String, String> facts, String how) {
        Map<String, String> all = new HashMap<>(facts);
        all.put(Attacher.RECOGNISED, how);
        return all;
    }
}
