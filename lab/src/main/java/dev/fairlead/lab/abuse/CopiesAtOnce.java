package dev.fairlead.lab.abuse;

import csi.v1.Snapshot;
import csi.v1.Volume;
import dev.fairlead.lab.CsiClient;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Takes 34 snapshots at once of a volume that takes long to copy, as a nightly backup does. */
final class CopiesAtOnce implements Torment {
    private static final int COPIES = 34;
    private static final int MEBIBYTES = 200;

    @Override
    public void run(Scene scene) throws Exception {
        Patience patience = scene.patience();
        String name = "large-" + scene.run();
        Volume volume = patience.until(
                "CreateVolume",
                client -> client.create(
                        CsiClient.request(name, Installation.ABUSED).build()));
        Pod pod = Pod.start(patience, scene.installation().folder().resolve("pods"), volume);
        byte[] block = new byte[1 << 20];
        scene.random().nextBytes(block);
        // All copies together take about four times as long as making may, on the disk that they share.
        long end = System.nanoTime() + scene.making().dividedBy(COPIES / 4).toNanos();
        try (FileChannel file = FileChannel.open(
                pod.target().resolve("content"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int i = 0; i < scene.size(MEBIBYTES) && (i == 0 || System.nanoTime() < end); i++) {
                Channels.newOutputStream(file).write(block);
                file.force(false);
            }
        }
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < COPIES; i++) {
                String snapshot = name + "-" + i;
                ends.add(callers.submit(() -> takeAndDelete(patience, snapshot, volume.getVolumeId())));
            }
            for (Future<?> each : ends) {
                var _ = each.get();
            }
        }
        pod.delete(patience);
    }

    private static void takeAndDelete(Patience patience, String name, String volume) {
        Snapshot snapshot = patience.until("CreateSnapshot", client -> client.snapshot(name, volume));
        if (!snapshot.getReadyToUse()) {
            throw new IllegalStateException(name + " is not ready");
        }
        var _ = patience.until("DeleteSnapshot", client -> {
            client.deleteSnapshot(snapshot.getSnapshotId());
            return true;
        });
    }
}
