package dev.fairlead.lab.abuse;

import csi.v1.Snapshot;
import csi.v1.Volume;
import dev.fairlead.lab.CsiClient;

/** Copies a tenant's tree by a snapshot of its volume and a restore of that, and checks that the copy has all of it. */
final class CopiedTree {
    private CopiedTree() {}

    /** Makes a tree in a folder of this node, and describes it. */
    interface Content {
        void make(String folder) throws Exception;

        /** Returns a description of what is in the folder; equal trees have equal ones. */
        String tell(String folder) throws Exception;
    }

    static void run(Torment.Scene scene, String name, Content content) throws Exception {
        Patience patience = scene.patience();
        Pod pod = pod(scene, CsiClient.request(name, Installation.ABUSED));
        content.make(pod.target().toString());
        String made = content.tell(pod.target().toString());
        Snapshot snapshot = patience.until(
                "CreateSnapshot",
                client -> client.snapshot(name + "-snap", pod.volume().getVolumeId()));
        Pod restored = pod(
                scene,
                CsiClient.request(name + "-restored", Installation.ABUSED)
                        .setVolumeContentSource(CsiClient.fromSnapshot(snapshot.getSnapshotId())));
        String copied = content.tell(restored.target().toString());
        if (!copied.equals(made)) {
            scene.violations().add(name + ": its copy has " + copied + " (expected: " + made + ")");
        }
        restored.delete(patience);
        var _ = patience.until("DeleteSnapshot", client -> {
            client.deleteSnapshot(snapshot.getSnapshotId());
            return true;
        });
        pod.delete(patience);
    }

    private static Pod pod(Torment.Scene scene, csi.v1.CreateVolumeRequest.Builder request) throws Exception {
        Volume volume = scene.patience().until("CreateVolume", client -> client.create(request.build()));
        return Pod.start(scene.patience(), scene.installation().folder().resolve("pods"), volume);
    }
}
