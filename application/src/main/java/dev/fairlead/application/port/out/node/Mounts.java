package dev.fairlead.application.port.out.node;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the node's mount table. An attacher is given this and not {@link Mounter}, since it must not mount. */
public interface Mounts {
    /** Returns the mount exactly at this path: the topmost one if several are stacked. */
    Optional<MountEntry> at(Path path, Work work);

    /** Returns every mount of this node, in the kernel's order. */
    List<MountEntry> table(Work work);

    /**
     * Returns whether a mount shows exactly the directory at a path.
     *
     * @param found finds the directory; it may hang, as long as the path's file system does
     */
    boolean shows(Path path, DirectoryLookup found, MountEntry mount, Work work);

    /**
     * Returns every mount that shows a directory or a part of it, except the one in which the directory itself lies;
     * none if it does not exist. None of these mounts is touched, so dead ones do not hang this.
     */
    List<MountEntry> showing(Path directory, Work work);

    /** Finds a directory of this node. */
    @FunctionalInterface
    interface DirectoryLookup {
        Attached.Directory find() throws IOException;
    }
}
