package dev.fairlead.lab.abuse;

import csi.v1.Snapshot;
import csi.v1.Volume;
import dev.fairlead.lab.CsiClient;
import dev.fairlead.lab.report.Violations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes volumes, writes, takes snapshots, restores them and deletes, and knows at any time what each volume must hold.
 */
final class Tenant implements Runnable {
    /** The number of volumes that a tenant keeps, each with what was written to it. */
    private static final int KEPT = 5;

    private final String name;
    private final Map<String, String> parameters;
    private final Path pods;
    private final Patience patience;
    private final Violations violations;
    private final Random random;
    private final Deque<Held> held = new ArrayDeque<>();
    private volatile boolean stopped;
    private final AtomicInteger rounds = new AtomicInteger();

    Tenant(
            String name,
            Map<String, String> parameters,
            Path pods,
            Patience patience,
            Violations violations,
            long seed) {
        this.name = name;
        this.parameters = parameters;
        this.pods = pods;
        this.patience = patience;
        this.violations = violations;
        this.random = new Random(seed);
    }

    /** A volume of a pod, and the text that was synced to it. */
    private record Held(Pod pod, String text) {}

    void stop() {
        stopped = true;
    }

    int rounds() {
        return rounds.get();
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                round(name + "-" + rounds.getAndIncrement());
            }
            while (!held.isEmpty()) {
                release(held.removeFirst());
            }
        } catch (IOException | RuntimeException e) {
            violations.add("tenant " + name + " cannot go on: " + e);
        }
    }

    private void round(String volume) throws IOException {
        Held fresh = new Held(make(CsiClient.request(volume, parameters).build()), text());
        write(fresh);
        Snapshot snapshot = patience.until(
                "CreateSnapshot",
                client -> client.snapshot(volume + "-snap", fresh.pod.volume().getVolumeId()));
        Held restored = new Held(
                make(CsiClient.request(volume + "-restored", parameters)
                        .setVolumeContentSource(CsiClient.fromSnapshot(snapshot.getSnapshotId()))
                        .build()),
                fresh.text);
        verify(restored);
        restored.pod.delete(patience);
        var _ = patience.until("DeleteSnapshot", client -> {
            client.deleteSnapshot(snapshot.getSnapshotId());
            return true;
        });
        held.addLast(fresh);
        if (held.size() > KEPT) {
            release(held.removeFirst());
        }
    }

    private Pod make(csi.v1.CreateVolumeRequest request) throws IOException {
        Volume volume = patience.until("CreateVolume", client -> client.create(request));
        return Pod.start(patience, pods, volume);
    }

    private String text() {
        return Long.toHexString(random.nextLong()).repeat(1 + random.nextInt(4000));
    }

    private static void write(Held volume) throws IOException {
        Path file = volume.pod.target().resolve("text");
        Files.writeString(file, volume.text);
        try (var channel = java.nio.channels.FileChannel.open(file, java.nio.file.StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private void verify(Held volume) throws IOException {
        Path file = volume.pod.target().resolve("text");
        String found = Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "nothing";
        if (!found.equals(volume.text)) {
            violations.add(volume.pod.volume().getVolumeId() + " lost what was written to it: " + found.length()
                    + " characters are there (expected: " + volume.text.length() + ")");
        }
    }

    private void release(Held volume) throws IOException {
        verify(volume);
        volume.pod.delete(patience);
    }
}
