package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Filesystems;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Grows a volume whose device must not grow below a mounted file system. The size that is wanted while it is mounted is
 * noted in the journal, and the storage grows it when it is unstaged; the next stage grows its file system. If another
 * volume of the node has the device, the size is handed over to that one, and the storage grows when the last is
 * unstaged.
 */
public record UnmountedGrowth(
        Mounter mounter, Filesystems filesystems, StageJournal journal, KeyedLocks locks, NodeGrowth storage) {
    private static final String SIZE = "grow.to";

    /** The fact that names the volume whose storage is to grow, if that is another one of the same device. */
    private static final String OWNER = "grow.volume";

    private static final Logger log = LoggerFactory.getLogger(UnmountedGrowth.class);

    static boolean isWanted(StageJournal.Entry entry) {
        return entry.facts().containsKey(SIZE);
    }

    /** Returns the facts of a volume that is attached anew, with the size that was noted before. */
    static void keep(Map<String, String> facts, StageJournal.Entry before) {
        for (String fact : List.of(SIZE, OWNER)) {
            Optional.ofNullable(before.facts().get(fact)).ifPresent(it -> facts.put(fact, it));
        }
    }

    /**
     * Returns the entry of a volume that keeps a device, with what another one of it was to grow to if that is more.
     */
    static StageJournal.Entry handedOver(StageJournal.Entry from, StageJournal.Entry to) {
        if (size(from) <= size(to)) {
            return to;
        }
        return wanting(to, size(from), owner(from));
    }

    private static long size(StageJournal.Entry entry) {
        return Long.parseLong(entry.facts().getOrDefault(SIZE, "0"));
    }

    private static String owner(StageJournal.Entry entry) {
        return entry.facts().getOrDefault(OWNER, entry.handle());
    }

    private static StageJournal.Entry wanting(StageJournal.Entry entry, long size, String owner) {
        Map<String, String> facts = new HashMap<>(entry.facts());
        facts.put(SIZE, Long.toString(size));
        facts.put(OWNER, owner);
        facts.remove(OWNER, entry.handle());
        return entry.with(facts);
    }

    /** Notes the size that a volume is to have; returns false if this node cannot grow it. */
    boolean want(String handle, Capacity size, Work work) {
        return storage.isHere()
                && locks.changingAttachment(handle, work, () -> {
                    Optional<StageJournal.Entry> entry =
                            journal.of(handle).filter(it -> it.facts().containsKey(Attacher.LINK));
                    entry.ifPresent(it -> note(it, size, work));
                    return entry.isPresent();
                });
    }

    private void note(StageJournal.Entry entry, Capacity size, Work work) {
        boolean isOwn = owner(entry).equals(entry.handle());
        StageJournal.Entry wanting = wanting(entry, size.bytes(), entry.handle());
        if (!wanting.equals(entry) && (isOwn || size(entry) < size.bytes())) {
            journal.write(wanting, work);
        }
    }

    /**
     * Grows a volume that was unstaged, and removes its entry. A refusal of the storage is told and keeps nobody from
     * unstaging; if the growth may still be under way, the caller asks again. Only the attachment and the device are
     * locked, since the storage's own use case locks the volume.
     */
    void grow(String handle, VolumeAttacher<?> volume, Work work) {
        List<LockKey> keys = List.of(LockKey.attachment(handle), LockKey.device(volume.identity()));
        locks.exclusivelyAll(keys, work, () -> {
            boolean mounted = mounter.table(work).stream().anyMatch(it -> volume.shows(it, work));
            Optional<StageJournal.Entry> wanted =
                    journal.of(handle).filter(UnmountedGrowth::isWanted).filter(_ -> !mounted);
            wanted.ifPresent(entry -> {
                grow(entry, work);
                journal.remove(handle, work);
            });
        });
    }

    private void grow(StageJournal.Entry entry, Work work) {
        try {
            Path device = Path.of(entry.facts().getOrDefault(Attacher.LINK, ""));
            Optional<String> user = filesystems.user(device, work);
            if (user.isPresent()) {
                warn(entry, work).addKeyValue("user", user.get()).log("a volume is not grown, since it is still used");
                return;
            }
            var _ = storage.grow(owner(entry), CapacityRange.of(size(entry), 0), work);
        } catch (StorageException refused) {
            if (!FinalCodes.isFinal(refused.failure())) {
                throw refused;
            }
            warn(entry, work).setCause(refused).log("a volume that was unstaged could not be grown");
        }
    }

    private static LoggingEventBuilder warn(StageJournal.Entry entry, Work work) {
        return log.atWarn().addKeyValue("request", work.requestId()).addKeyValue("volume", entry.handle());
    }
}
