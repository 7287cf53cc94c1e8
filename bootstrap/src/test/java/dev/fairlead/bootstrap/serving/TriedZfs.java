package dev.fairlead.bootstrap.serving;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A dataset or a volume of a pool of this machine. */
record TriedZfs(String pool, Kind kind) implements TriedVolume {
    /** What it is, and how it is used. */
    enum Kind {
        DATASET,
        ZVOL,
        ZVOL_RAW
    }

    private String name() {
        return pool + "/kills";
    }

    @Override
    public boolean block() {
        return kind == Kind.ZVOL_RAW;
    }

    @Override
    public Map<String, String> context() {
        return Map.of("node_attach_driver", "zfs-local", "zfs_asset_name", name());
    }

    @Override
    public Map<String, String> secrets() {
        return Map.of();
    }

    @Override
    public void makeNew() throws IOException, InterruptedException {
        remove();
        if (kind != Kind.DATASET) {
            NodeShell.must("zfs", "create", "-V", "64M", "-s", name());
            NodeShell.must("udevadm", "settle", "--timeout=" + TimeUnit.MINUTES.toSeconds(1));
        } else {
            NodeShell.must("zfs", "create", "-o", "quota=64M", name());
        }
    }

    /** ZFS does not tell Linux of a volume's growth in a way that a mounted file system outlives. */
    @Override
    public long grow() throws IOException, InterruptedException {
        if (!block()) {
            return 0;
        }
        NodeShell.must("zfs", "set", "volsize=128M", name());
        return 128 << 20;
    }

    @Override
    public List<String> left() {
        return List.of();
    }

    @Override
    public void remove() throws IOException, InterruptedException {
        if (NodeShell.run("zfs", "list", name()) == 0) {
            NodeShell.must("zfs", "destroy", "-r", name());
        }
    }
}
