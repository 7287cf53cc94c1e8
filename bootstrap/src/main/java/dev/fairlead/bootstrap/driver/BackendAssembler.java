package dev.fairlead.bootstrap.driver;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigNode.Unread;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.BackendSettings;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.bootstrap.config.YamlReader;
import dev.fairlead.domain.connection.ConnectionName;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a backend of a connection's file: looks its driver type up, and joins the store and exporter of that row. */
public final class BackendAssembler {
    private final DriverTypes types;
    private final Map<String, StoreFactory> stores;
    private final Map<String, ExporterFactory> exporters;
    private final Locality locality;
    private final String installation;
    private final boolean publishes;

    /**
     * @param installation identifies this installation by its CSI names
     * @param publishes whether the process offers to publish volumes to nodes
     */
    public BackendAssembler(
            DriverTypes types,
            Map<String, StoreFactory> stores,
            Map<String, ExporterFactory> exporters,
            Locality locality,
            String installation,
            boolean publishes) {
        this.types = types;
        this.stores = Map.copyOf(stores);
        this.exporters = Map.copyOf(exporters);
        this.locality = locality;
        this.installation = installation;
        this.publishes = publishes;
    }

    /**
     * @param hostPaths the folders of its volumes on this node, if they are plain paths
     * @param bases the base folders as this process sees them, if its volumes are folders
     */
    public record Assembled(Backend backend, List<Path> hostPaths, List<Path> bases) {
        public Assembled {
            hostPaths = List.copyOf(hostPaths);
            bases = List.copyOf(bases);
        }
    }

    /** Returns whether each node has connections of its own, so that one path is another folder on each node. */
    public boolean perNode() {
        return locality.perNode();
    }

    /** Makes the backend of a file; empty if the problems hold an error. */
    public Optional<Assembled> assemble(ConnectionName name, byte[] content, Defaults defaults, Problems problems) {
        return YamlReader.read(content, problems)
                .map(file -> ConfigNode.root(defaults.under(file), problems))
                .flatMap(file -> assemble(name, file));
    }

    /** Makes the backend of a file that has been read already; empty if its problems hold an error. */
    public Optional<Assembled> assemble(ConnectionName name, ConfigNode file) {
        if (name.value().length() > ConnectionName.COMFORTABLE) {
            file.problems()
                    .warning(
                            "",
                            0,
                            "the connection's name has " + name.value().length() + " characters",
                            "keep it within " + ConnectionName.COMFORTABLE
                                    + ": every handle carries it, and long snapshot handles pass CSI's 128 bytes");
        }
        return types.of(file).flatMap(type -> assemble(name, type, file));
    }

    private Optional<Assembled> assemble(ConnectionName name, DriverType type, ConfigNode file) {
        if (!type.isAvailable()) {
            file.problems()
                    .error(
                            file.pathOf("driver"),
                            file.lineOf("driver"),
                            type.name() + " has no controller side, so it cannot be a connection",
                            "make it the main file's driver of a process with --csi-mode=node; nodes of a proxy mount"
                                    + " such volumes without any file");
            return Optional.empty();
        }
        StoreFactory storeFactory = factory(stores, type.store());
        ExporterFactory exporterFactory = factory(exporters, type.exporter());
        BackendSettings settings = new CommonSettings(file, locality)
                .read(type, type.capabilities(), new PlacementReader(locality).read(type, file));
        var scope = new ConnectionScope(
                name, type.block(), settings.instanceId(), installation, type.nodeLocal(), settings.concurrency());
        VolumeStore store = storeFactory.open(scope, file);
        Exporter exporter = exporterFactory.open(scope, file, store.noteLook());
        if (settings.closed()) {
            checkPublishing(type, exporter, file.child("fairlead"));
        }
        if (!type.isAttachable()) {
            warnOfPods(type, file);
        }
        file.reportUnread(Unread.WARNING);
        if (file.problems().hasErrors()) {
            exporter.close();
            store.close();
            return Optional.empty();
        }
        return Optional.of(new Assembled(
                new Backend(name, type.name(), store, exporter, settings),
                exporterFactory.hostPaths(type.block(), file),
                storeFactory.baseFolders(type.block(), file)));
    }

    /** Warns, when the file is read and before a pod waits, that no node can mount volumes of this type. */
    private static void warnOfPods(DriverType type, ConfigNode file) {
        file.problems()
                .warning(
                        file.pathOf("driver"),
                        file.lineOf("driver"),
                        "no node of this version can mount volumes of " + type.name()
                                + ": they are made, and the pods that use them wait",
                        "run democratic-csi for this connection, or wait for a version whose nodes can");
    }

    /**
     * Refuses closed volumes if the exporter cannot limit access, or if the process does not publish volumes, so that
     * nobody could use them.
     */
    private void checkPublishing(DriverType type, Exporter exporter, ConfigNode own) {
        int line = own.lineOf(Publishing.KEY);
        if (exporter.accessControl().isEmpty()) {
            if (line != 0) {
                own.problems()
                        .error(
                                own.pathOf(Publishing.KEY),
                                line,
                                "is nodes, and a connection of driver " + type.name()
                                        + " cannot narrow who reaches a volume as this file stands",
                                "write open, or leave it out; for NFS, share by sharenfs alone, as on Linux and with one"
                                        + " sec= at most");
            }
        } else if (!publishes) {
            own.problems()
                    .error(
                            own.pathOf(Publishing.KEY),
                            line,
                            "is nodes, and this process publishes no volumes, so that no node could use them",
                            "set fairlead.publish to nodes in the main file too (a list of its service block needs"
                                    + " PUBLISH_UNPUBLISH_VOLUME), and attachRequired in the CSIDriver");
        }
    }

    private static <T> T factory(Map<String, T> factories, String key) {
        T factory = factories.get(key);
        if (factory == null) {
            throw new IllegalStateException("'" + key + "' is in the table of driver types and in no module");
        }
        return factory;
    }
}
