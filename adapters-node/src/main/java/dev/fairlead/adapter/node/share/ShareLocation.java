package dev.fairlead.adapter.node.share;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;

/** Names a directory on a server, and knows mounts of it by what the kernel shows of them. */
public interface ShareLocation {
    /** Returns whether a mount shows exactly this directory. */
    boolean isShownBy(MountEntry mount);

    /** Returns whether a mount shows this directory or one below it. */
    boolean holds(MountEntry mount);
}
