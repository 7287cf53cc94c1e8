package dev.fairlead.lab;

import java.io.IOException;

/**
 * A {@code zfs} of a storage host whose streams flow slowly after their first part for as long as that is wanted, so
 * that something can happen in their middle. A stream that is resumed is as fast as ever.
 */
record SlowStreams(StorageHost host) {
    static final String PROGRAM = "/root/slow-zfs";

    /** It passes eight megabytes, and then forty kilobytes each second, until nobody reads them. */
    private static final String WRITE_PROGRAM = "cat >" + PROGRAM + " <<'end'\n"
            + "#!/bin/sh\n"
            + "[ \"$1\" != send ] || echo \"$*\" >>/root/streams\n"
            + "case \"$1 $2\" in \"send -\"*) exec /sbin/zfs \"$@\" ;; \"send \"*) [ -e /run/slow ] || exec /sbin/zfs \"$@\" ;;"
            + " *) exec /sbin/zfs \"$@\" ;; esac\n"
            + "/sbin/zfs \"$@\" | { head -c 8000000; while [ -e /run/slow ] && head -c 8192; do sleep 0.2; done; cat; }\n"
            + "end\n"
            + "chmod 755 " + PROGRAM + "; rm -f /run/slow /root/streams; sync";

    /** Writes the program there. */
    static SlowStreams of(StorageHost host) throws IOException {
        host.shell(WRITE_PROGRAM);
        return new SlowStreams(host);
    }

    /** Makes the streams that begin from now on slow. */
    void slow() throws IOException {
        host.shell("touch /run/slow");
    }

    /** Lets all of them flow. */
    void fast() throws IOException {
        host.shell("rm -f /run/slow");
    }

    /** Tells whether one was resumed since the program was written. */
    boolean isResumed() throws IOException {
        return !host.shell("grep '^send -t' /root/streams || true").isBlank();
    }

    /** What still sends or receives there; each a line. */
    String running() throws IOException {
        return host.shell("pgrep -a -f '^[^ ]*zfs (send|receive) ' || true").strip();
    }
}
