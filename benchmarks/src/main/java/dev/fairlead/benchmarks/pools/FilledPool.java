package dev.fairlead.benchmarks.pools;

import csi.v1.ListVolumesResponse;
import csi.v1.Volume;
import dev.fairlead.lab.CsiClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A pool of a driver of its own that has a number of volumes. */
final class FilledPool implements AutoCloseable {
    private static final int FILLERS = 8;
    private static final int PAGE = 100;

    private final int number;
    private final CsiClient client;
    private final Map<String, String> parameters;
    private final Deque<String> volumes = new ArrayDeque<>();
    private int serial;

    /** @param number how many volumes it has while it is measured */
    FilledPool(int number, Path socket, String name) {
        this.number = number;
        this.client = new CsiClient(socket, Duration.ofMinutes(2));
        this.parameters = Map.of("storagePool", name);
    }

    int number() {
        return number;
    }

    void create() {
        Volume made = client.create("pvc-68f1d462-633b-4085-0000-%012d".formatted(next()), parameters);
        synchronized (volumes) {
            volumes.addLast(made.getVolumeId());
        }
    }

    private synchronized int next() {
        return serial++;
    }

    void delete() {
        String id;
        synchronized (volumes) {
            id = volumes.removeFirst();
        }
        client.delete(id);
    }

    void capacity() {
        var _ = client.capacity(parameters);
    }

    /** Lists its first volumes. */
    void page() {
        var _ = client.list(PAGE, "");
    }

    /** Lists all of its volumes. */
    void listed() {
        int found = 0;
        String token = "";
        do {
            ListVolumesResponse page = client.list(0, token);
            found += page.getEntriesCount();
            token = page.getNextToken();
        } while (!token.isEmpty());
        if (found != number) {
            throw new IllegalStateException(found + " volumes are listed, and " + number + " were made");
        }
    }

    /** Makes or deletes volumes until there are as many as it is to have. */
    void fill() throws Exception {
        fill(number);
    }

    /** Makes volumes until the pool has this many. */
    void fill(int wanted) throws Exception {
        int there = volumes.size();
        try (ExecutorService fillers = Executors.newFixedThreadPool(FILLERS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < Math.abs(wanted - there); i++) {
                all.add(fillers.submit(wanted > there ? this::create : this::delete));
            }
            for (Future<?> one : all) {
                var _ = one.get();
            }
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
