package dev.fairlead.lab.abuse;

import csi.v1.Volume;
import dev.fairlead.lab.CsiClient;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Takes the base of the abused connection away and brings it back: meanwhile nothing may be deleted, reported as
 * missing, or made.
 */
final class AbsentBase implements Torment {
    @Override
    public void run(Scene scene) throws Exception {
        Installation installation = scene.installation();
        Volume volume = scene.patience()
                .until("CreateVolume", client -> client.create("absent-" + scene.run(), Installation.ABUSED));
        long end = System.nanoTime() + scene.time().toNanos();
        while (System.nanoTime() < end) {
            installation.unmountAbused();
            try {
                askForAll(scene, volume);
                TimeUnit.MILLISECONDS.sleep(500 + scene.random().nextInt(2000));
                List<Path> made = below(installation.abusedBase());
                if (!made.isEmpty()) {
                    scene.violations().add("made below a mount point whose mount was away: " + made);
                }
            } finally {
                installation.mountAbused();
            }
            var _ = scene.patience().until("ControllerGetVolume", client -> client.get(volume.getVolumeId()));
            TimeUnit.MILLISECONDS.sleep(500 + scene.random().nextInt(2000));
        }
        var _ = scene.patience().until("DeleteVolume", client -> {
            client.delete(volume.getVolumeId());
            return true;
        });
    }

    private static void askForAll(Scene scene, Volume volume) {
        refused(scene, "CreateVolume", client -> {
            Volume _ = client.create("absent-new-" + scene.run(), Installation.ABUSED);
        });
        refused(scene, "DeleteVolume", client -> client.delete(volume.getVolumeId()));
        refused(scene, "ControllerGetVolume", client -> {
            var _ = client.get(volume.getVolumeId());
        });
        refused(scene, "CreateSnapshot", client -> {
            var _ = client.snapshot("absent-snap-" + scene.run(), volume.getVolumeId());
        });
        refused(scene, "ListVolumes", client -> {
            var _ = client.list(0, "");
        });
        refused(scene, "ListSnapshots", client -> {
            var _ = client.listSnapshots();
        });
    }

    private static void refused(Scene scene, String what, Consumer<CsiClient> call) {
        long begin = System.nanoTime();
        try {
            call.accept(scene.installation().client());
            scene.violations().add(what + " of a connection whose base is not mounted was answered OK");
        } catch (StatusRuntimeException e) {
            Status.Code code = e.getStatus().getCode();
            boolean excused = scene.installation().outages().touched(begin, System.nanoTime());
            if (code != Status.Code.UNAVAILABLE && code != Status.Code.ABORTED && !excused) {
                scene.violations().add(what + " of a connection whose base is not mounted: " + e.getMessage());
            }
        }
    }

    private static List<Path> below(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }
}
