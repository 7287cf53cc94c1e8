package dev.fairlead.lab.abuse;

import csi.v1.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A volume as a pod has it: staged and published on this node.
 *
 * @param volume what CreateVolume answered
 * @param staging where it is staged
 * @param target where the pod sees it
 */
record Pod(Volume volume, Path staging, Path target) {
    static Pod start(Patience patience, Path pods, Volume volume) throws IOException {
        String name = volume.getVolumeId().replaceAll("[^A-Za-z0-9.-]", "_");
        Path staging = Files.createDirectories(pods.resolve(name + ".staging"));
        Pod pod = new Pod(volume, staging, pods.resolve(name + ".target"));
        var _ = patience.until("NodeStageVolume", client -> {
            client.stage(volume, staging);
            return true;
        });
        var _ = patience.until("NodePublishVolume", client -> {
            client.publish(volume, staging, pod.target, false);
            return true;
        });
        return pod;
    }

    void end(Patience patience) throws IOException {
        var _ = patience.until("NodeUnpublishVolume", client -> {
            client.unpublish(volume, target);
            return true;
        });
        var _ = patience.until("NodeUnstageVolume", client -> {
            client.unstage(volume, staging);
            return true;
        });
        Files.deleteIfExists(staging);
        Files.deleteIfExists(target);
    }

    /** Ends the pod and deletes its volume. */
    void delete(Patience patience) throws IOException {
        end(patience);
        var _ = patience.until("DeleteVolume", client -> {
            client.delete(volume.getVolumeId());
            return true;
        });
    }
}
