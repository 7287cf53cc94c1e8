package dev.fairlead.adapter.local.pool.room;

import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.adapter.local.pool.kind.Occupancy;
import dev.fairlead.adapter.local.pool.kind.SharedAnswer;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives volumes their limits again that somebody took away, in the background if that takes longer than a call waits.
 */
public final class LostLimits {
    private static final Logger LOG = LoggerFactory.getLogger(LostLimits.class);

    private final RecordedFolders volumes;
    private final Supplier<Occupancy> occupancies;

    /** The volumes whose limits could not be set again, the last one that was tried at the end. */
    private final Set<Path> refused = new LinkedHashSet<>();

    /** The volumes whose limits are not what their records say, by the last reading, and their ids. */
    private volatile Map<Path, String> lacking = Map.of();

    private final AtomicBoolean restoring = new AtomicBoolean();

    public LostLimits(RecordedFolders volumes, Supplier<Occupancy> occupancies) {
        this.volumes = volumes;
        this.occupancies = occupancies;
    }

    /** Notes the folders whose limits are not what their records say, with their ids, instead of those noted before. */
    public void lacking(Map<Path, String> folders) {
        lacking = folders;
    }

    /**
     * Gives volumes that lack them their limits again. Who asks for it waits for the time of its call at most, and what
     * takes longer goes on; nobody begins it again meanwhile.
     *
     * @param left the time of the call; zero for one that does not wait
     */
    public void restore(Path pool, DiskQuestion question, Duration left) {
        if (lacking.isEmpty() || !restoring.compareAndSet(false, true)) {
            return;
        }
        SharedAnswer<Boolean> done = new SharedAnswer<>(question, pool + " with its limits");
        boolean asked = false;
        try {
            done.ask(() -> {
                try {
                    restore();
                    return true;
                } finally {
                    restoring.set(false);
                }
            });
            asked = true;
            var _ = done.within(left);
        } catch (IOException | StorageException e) {
            LOG.atDebug().addKeyValue("pool", pool).setCause(e).log("limits are not all set again yet");
        } finally {
            if (!asked) {
                restoring.set(false);
            }
        }
    }

    /**
     * Gives them their limits again. The first that cannot be restored ends it until the next time, when it is the last
     * one: each may take as long as a program is waited for, and the pool is of use without.
     */
    private void restore() throws IOException {
        Map<Path, String> all = lacking;
        refused.retainAll(all.keySet());
        List<Path> order = new ArrayList<>(all.keySet());
        order.removeAll(refused);
        order.addAll(refused);
        try (Occupancy occupancy = occupancies.get()) {
            for (Path folder : order) {
                if (!restored(occupancy, folder, all.getOrDefault(folder, ""))) {
                    return;
                }
            }
        }
    }

    /** Gives one volume its limit, if it still lacks it: it may have grown meanwhile. */
    private boolean restored(Occupancy occupancy, Path folder, String id) {
        try {
            long size = RecordedSizes.ofVolume(volumes.record(id));
            if (occupancy.of(folder).filter(use -> use.lacks(size)).isPresent()) {
                occupancy.restore(folder, size);
                long now = RecordedSizes.ofVolume(volumes.record(id));
                if (now > size) { // it has grown in between, and had a larger limit already
                    occupancy.restore(folder, now);
                }
            }
            refused.remove(folder);
            return true;
        } catch (IOException | StorageException e) {
            if (!refused.remove(folder)) {
                LOG.atWarn()
                        .addKeyValue("volume", folder)
                        .setCause(e)
                        .log("a volume's limit is gone and cannot be set again; it is tried again");
            }
            refused.add(folder);
            return false;
        }
    }
}
