package dev.fairlead.bootstrap.serving;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A disk of the storage machine, by iSCSI or by NVMe over TCP.
 *
 * @param block as a raw device, not as a file system
 */
record TriedDisk(StorageMachine storage, boolean nvme, boolean block) implements TriedVolume {
    private static final String AUTH = "node-db.node.session.auth.";
    private static final int MORE = 128;

    @Override
    public Map<String, String> context() {
        return nvme
                ? Map.of(
                        "node_attach_driver",
                        "nvmeof",
                        "transport",
                        "tcp://" + storage.host() + ":4420",
                        "nqn",
                        StorageMachine.NQN,
                        "nsid",
                        "1")
                : Map.of(
                        "node_attach_driver", "iscsi", "portal", storage.host(), "iqn", StorageMachine.IQN, "lun", "0");
    }

    @Override
    public Map<String, String> secrets() {
        return nvme
                ? Map.of()
                : Map.of(AUTH + "username", StorageMachine.USER, AUTH + "password", StorageMachine.PASSWORD);
    }

    @Override
    public void makeNew() throws IOException, InterruptedException {
        if (nvme) {
            storage.makeSubsystem();
        } else {
            storage.makeTarget();
        }
    }

    @Override
    public long grow() throws IOException, InterruptedException {
        storage.grow(MORE);
        if (nvme) {
            storage.tellOfGrowth();
        }
        return (long) MORE << 20;
    }

    @Override
    public List<String> left() throws IOException {
        return nvme
                ? NodeShell.controllers(StorageMachine.NQN)
                : Stream.concat(
                                NodeShell.sessions(StorageMachine.IQN).stream(),
                                NodeShell.files(Path.of("/etc/iscsi/nodes", StorageMachine.IQN)).stream())
                        .toList();
    }

    @Override
    public void remove() throws IOException, InterruptedException {
        if (nvme) {
            storage.removeSubsystem();
        } else {
            storage.removeTarget();
        }
    }
}
