package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.SavedVolume;
import dev.fairlead.application.port.out.placement.SavedVolumes;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps what another controller has left in memory; it may be away, fail, or be silent until it is told to go on. */
final class KeptInMemory implements SavedVolumes {
    final Map<String, SavedVolume> all = new TreeMap<>();
    final AtomicInteger asked = new AtomicInteger();
    private volatile CountDownLatch silence = new CountDownLatch(0);
    boolean away;
    Runnable failing = () -> {};
    Runnable removed = () -> {};

    void put(String handle, String text) {
        all.put(handle, new SavedVolume("org.example.csi", Set.of(handle), handle, "of " + handle, text));
    }

    CountDownLatch silent() {
        silence = new CountDownLatch(1);
        return silence;
    }

    @Override
    public List<SavedVolume> all() {
        asked.incrementAndGet();
        try {
            silence.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        if (away) {
            failing.run();
            throw new StorageException(new Failure.BackendUnavailable("linstor", "no answer"));
        }
        return List.copyOf(all.values());
    }

    @Override
    public boolean remove(SavedVolume saved) {
        all.remove(saved.resource());
        removed.run();
        return true;
    }

    @Override
    public void close() {}
}
