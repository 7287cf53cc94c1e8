package dev.fairlead.application.port.out.node;

import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Says what an attacher has made reachable on this node. The application proves, formats, mounts, grows and verifies
 * it, once for all protocols.
 */
public sealed interface Attached {
    /**
     * Names a block device of this node: a disk, a namespace, a multipath map or a zvol.
     *
     * @param path the device node itself, not a link to it
     * @param facts what the attacher wants to be given again when it detaches, and what an operator may read in the
     *     journal; never a secret
     */
    record Device(Path path, Map<String, String> facts) implements Attached {
        public Device {
            facts = Map.copyOf(facts);
        }
    }

    /** Describes a file system on a server, or one of this node that is no device's; a mount makes it visible. */
    record Share(Mounter.Filesystem filesystem) implements Attached {}

    /**
     * Names a directory of this node. It is reached from the root by names of which none is a symbolic link, so that
     * nobody who may write there can lead the mount elsewhere.
     *
     * @param root an existing folder that is trusted, all links resolved
     * @param below the directory's path relative to the root; empty for the root itself
     * @param filesystem the number of the file system that it is on, if what another one has there must not be bound
     */
    record Directory(Path root, Path below, OptionalLong filesystem) implements Attached {
        public Directory {
            if (!root.isAbsolute() || below.isAbsolute()) {
                throw new IllegalArgumentException(
                        "directory: " + root + ", " + below + " (expected: an absolute path and a relative one)");
            }
        }

        public Directory(Path root, Path below) {
            this(root, below, OptionalLong.empty());
        }

        /** Names a directory by a path of which only the last name must not be a link. */
        public static Directory of(Path path) {
            return new Directory(path, Path.of(""));
        }

        public Path path() {
            return root.resolve(below);
        }
    }
}
