package dev.fairlead.domain.volume;

/** A medium is what a store hands to an exporter: a directory or a block device on the storage host. */
public sealed interface VolumeMedium {
    /**
     * Returns where it is on the storage host; empty for a filesystem that is mounted nowhere, or nobody knows yet
     * where.
     */
    String path();

    Kind kind();

    record Filesystem(String path) implements VolumeMedium {
        @Override
        public Kind kind() {
            return Kind.FILESYSTEM;
        }
    }

    record BlockDevice(String path) implements VolumeMedium {
        @Override
        public Kind kind() {
            return Kind.BLOCK_DEVICE;
        }
    }

    /** There are two kinds of medium; a store and an exporter that share none cannot be joined. */
    enum Kind {
        FILESYSTEM,
        BLOCK_DEVICE
    }
}
