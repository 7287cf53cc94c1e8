package dev.fairlead.application.port.out.export;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.NoteLook;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Opens a connection's exporter, under the same terms as {@code StoreFactory}. */
public interface ExporterFactory {
    /** Says what the exporters that it opens can do; the table of driver types derives from it. */
    ExporterTraits traits();

    /** @param notes of the store that the exporter is joined with */
    Exporter open(ConnectionScope scope, ConfigNode config, NoteLook notes);

    /** Opens it without a look at the notes of any store. */
    default Exporter open(ConnectionScope scope, ConfigNode config) {
        return open(scope, config, NoteLook.NONE);
    }

    /**
     * Returns the folder below which the volumes of such a file lie on their node; empty if they are no plain paths of
     * the node, or the file does not say where. A node asks it without opening anything.
     *
     * @param block the name of the block of the file that the exporter reads
     */
    default Optional<Path> hostPath(String block, ConfigNode config) {
        return Optional.empty();
    }

    /** Returns the same for exporters whose volumes lie below several folders. */
    default List<Path> hostPaths(String block, ConfigNode config) {
        return hostPath(block, config).stream().toList();
    }

    /** Makes a factory of what its exporters can do and of how one is opened. */
    static ExporterFactory of(ExporterTraits traits, Opening opening) {
        return new ExporterFactory() {
            @Override
            public ExporterTraits traits() {
                return traits;
            }

            @Override
            public Exporter open(ConnectionScope scope, ConfigNode config, NoteLook notes) {
                return opening.open(scope, config, notes);
            }
        };
    }

    /** Opens an exporter, as {@link ExporterFactory#open(ConnectionScope, ConfigNode, NoteLook)} does. */
    @FunctionalInterface
    interface Opening {
        Exporter open(ConnectionScope scope, ConfigNode config, NoteLook notes);
    }
}
