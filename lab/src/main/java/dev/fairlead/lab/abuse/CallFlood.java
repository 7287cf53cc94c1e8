package dev.fairlead.lab.abuse;

import csi.v1.Volume;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Makes, looks up and deletes volumes of the abused connection from a hundred callers at once. */
final class CallFlood implements Torment {
    private static final int CALLERS = 100;

    @Override
    public void run(Scene scene) {
        long end = System.nanoTime() + scene.time().toNanos();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLERS; i++) {
                String prefix = "flood-" + scene.run() + "-" + i + "-";
                var _ = callers.submit(() -> {
                    for (int n = 0; System.nanoTime() < end; n++) {
                        makeAndDelete(scene.patience(), prefix + n);
                    }
                });
            }
        }
    }

    private static void makeAndDelete(Patience patience, String name) {
        Volume volume = patience.until("CreateVolume", client -> client.create(name, Installation.ABUSED));
        var _ = patience.until("ControllerGetVolume", client -> client.get(volume.getVolumeId()));
        var _ = patience.until("DeleteVolume", client -> {
            client.delete(volume.getVolumeId());
            return true;
        });
    }
}
