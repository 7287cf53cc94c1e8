package dev.fairlead.application.port.out.store;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Opens a connection's store. It reads settings and makes clients; it does not talk to the storage. */
public interface StoreFactory {
    /** Says what the stores that it opens can do; the table of driver types derives from it. */
    StoreTraits traits();

    /**
     * Makes the store, and reports every problem of the settings to the node's {@code Problems}; if there was one, the
     * store is never used.
     */
    VolumeStore open(ConnectionScope scope, ConfigNode config);

    /**
     * Returns the folder, as this process sees it, in which the store of such a file keeps volumes; empty if it keeps
     * them in no folder, or the file does not say in which. Two connections must not have the same one.
     *
     * @param block the name of the block of the file that the store reads
     */
    default Optional<Path> baseFolder(String block, ConfigNode config) {
        return Optional.empty();
    }

    /** Returns the same for stores of several folders. */
    default List<Path> baseFolders(String block, ConfigNode config) {
        return baseFolder(block, config).stream().toList();
    }

    /** Makes a factory of what its stores can do and of how one is opened. */
    static StoreFactory of(StoreTraits traits, Opening opening) {
        return new StoreFactory() {
            @Override
            public StoreTraits traits() {
                return traits;
            }

            @Override
            public VolumeStore open(ConnectionScope scope, ConfigNode config) {
                return opening.open(scope, config);
            }
        };
    }

    /** Opens a store, as {@link StoreFactory#open} does. */
    @FunctionalInterface
    interface Opening {
        VolumeStore open(ConnectionScope scope, ConfigNode config);
    }
}
