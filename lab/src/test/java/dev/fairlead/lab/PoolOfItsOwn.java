package dev.fairlead.lab;

import java.util.Map;

/** A pool of the storage host, on a file of its own, that goes away as a whole and comes back. */
record PoolOfItsOwn(ZfsPoolFixture rig) {
    /** The dataset that volumes go below. */
    static final String PARENT = "away/v";

    static final Map<String, ?> KEYS = Map.of("datasetParentName", PARENT);

    /** A pool whose devices udev looks at is busy, and the paths to them come a moment after it. */
    private static final String SETTLED = "udevadm settle";

    private static final String REMOVE = "zpool destroy -f away 2>/dev/null; rm -rf /var/tmp/away";

    void make() {
        rig.shell(REMOVE + "; mkdir -p /var/tmp/away/its /var/tmp/away/other; truncate -s 128M /var/tmp/away/its/disk"
                + " /var/tmp/away/other/disk; zpool create -O mountpoint=/away away /var/tmp/away/its/disk");
    }

    void remove() {
        rig.shell(REMOVE);
    }

    void export() {
        rig.shell(SETTLED + "; zpool export away");
    }

    void importAgain() {
        rig.shell("zpool import -d /var/tmp/away/its away; " + SETTLED);
    }

    /** Makes another pool of its name, with the parent of volumes, while it is away. */
    void putAnother() {
        rig.shell("zpool create -O mountpoint=/away away /var/tmp/away/other/disk && zfs create " + PARENT);
    }

    /** Destroys that other pool, which fails while anybody uses what is in it. */
    void takeAnother() {
        rig.shell(SETTLED + "; zpool destroy away");
    }
}
