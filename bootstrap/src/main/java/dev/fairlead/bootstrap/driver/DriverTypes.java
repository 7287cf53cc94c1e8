package dev.fairlead.bootstrap.driver;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Suggestion;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.export.ExporterTraits;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.StoreTraits;
import dev.fairlead.bootstrap.driver.DriverType.State;
import jakarta.inject.Provider;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lists every driver type by democratic-csi's name, in the order of the documentation; each joins a store to an
 * exporter. A new pair is a row of names here; what it can do derives from the traits of the two factories. A row is
 * planned as long as one of its two names is bound in no module. A factory is made when its row is asked for, since a
 * process of one driver needs two of them.
 */
public final class DriverTypes {
    private static final String ZFS = "zfs-filesystem";
    private static final String ZVOL = "zfs-volume";
    private static final StoreTraits NOTHING = new StoreTraits(Set.of(), Set.of(), Set.of());

    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final Map<String, Provider<StoreFactory>> stores;
    private final Map<String, Provider<ExporterFactory>> exporters;
    private final Set<Class<?>> attachable;

    private record Row(
            String name,
            String block,
            Set<String> defaults,
            String store,
            String exporter,
            Optional<State> given,
            String remark) {
        /** Returns the same row of a connection whose file has these blocks instead of one of the row's name. */
        Row of(String... blocks) {
            return new Row(name, block, Set.of(blocks), store, exporter, given, remark);
        }
    }

    private DriverTypes(
            Map<String, Provider<StoreFactory>> stores,
            Map<String, Provider<ExporterFactory>> exporters,
            Set<Class<?>> attachable) {
        this.stores = Map.copyOf(stores);
        this.exporters = Map.copyOf(exporters);
        this.attachable = Set.copyOf(attachable);
    }

    /** Returns the table, by the factories that are built in and the attachments that nodes can attach. */
    public static DriverTypes all() {
        return all(AttacherComponent.attachable());
    }

    /**
     * @param attachable the attachments that nodes can attach; pods can use a type that is built only if its attachment
     *     is among them
     */
    static DriverTypes all(Set<Class<?>> attachable) {
        var factories = DaggerFactoryComponent.create();
        return made(factories.storeProviders(), factories.exporterProviders(), attachable);
    }

    /** Returns the table with these factories. */
    static DriverTypes of(
            Map<String, StoreFactory> stores, Map<String, ExporterFactory> exporters, Set<Class<?>> attachable) {
        return made(given(stores), given(exporters), attachable);
    }

    private static <T> Map<String, Provider<T>> given(Map<String, T> factories) {
        return factories.entrySet().stream().collect(toMap(Map.Entry::getKey, entry -> entry::getValue));
    }

    /** Returns the table with factories that are made when their rows are asked for. */
    static DriverTypes made(
            Map<String, Provider<StoreFactory>> stores,
            Map<String, Provider<ExporterFactory>> exporters,
            Set<Class<?>> attachable) {
        var types = new DriverTypes(stores, exporters, attachable);
        types.local();
        types.zfs();
        types.trueNas();
        types.appliances();
        types.refused();
        return types;
    }

    /** Returns the same table with another row. */
    DriverTypes with(String name, String store, String exporter, String remark) {
        var types = new DriverTypes(stores, exporters, attachable);
        types.rows.putAll(rows);
        types.row(name, store, exporter, remark);
        return types;
    }

    private void local() {
        row("local-hostpath", "directory", "local-path", "directories on the node itself; sizes are advisory");
        add(
                joined(
                        "local-pool",
                        "local-pool",
                        "local-pool",
                        "named pools on the node itself; images, btrfs, ZFS, or project quotas of XFS and ext4, with sizes that hold, or directories"));
        client("nfs", "directories of one NFS share");
        client("smb", "directories of one SMB share");
        client("lustre", "directories of one Lustre file system");
        add(given("node-manual", State.NODE, "volumes that somebody else made; node side only"));
    }

    private void zfs() {
        generic("nfs", ZFS, "zfs-sharenfs", "ZFS over SSH, the sharenfs property");
        generic("smb", ZFS, "zfs-sharesmb", "ZFS over SSH, the sharesmb property");
        generic("iscsi", ZVOL, "targetcli", "ZFS over SSH, LIO targets");
        generic("nvmeof", ZVOL, "nvmetcli", "ZFS over SSH, kernel NVMe targets");
        add(joined("zfs-local-dataset", ZFS, "zfs-local-dataset", "datasets of the node's own pool")
                .of("zfs"));
        add(joined("zfs-local-zvol", ZVOL, "zfs-local-zvol", "volumes of the node's own pool")
                .of("zfs"));
    }

    private void generic(String protocol, String store, String exporter, String remark) {
        add(joined("zfs-generic-" + protocol, store, exporter, remark).of("sshConnection", "zfs", protocol));
    }

    private void trueNas() {
        for (String family : List.of("freenas", "truenas")) {
            String alias = family.equals("truenas") ? "; the same as freenas-…" : "";
            for (String protocol : List.of("nfs", "smb", "iscsi", "nvmeof")) {
                boolean files = protocol.equals("nfs") || protocol.equals("smb");
                String exporter = "truenas-" + protocol;
                String remark =
                        "ZFS over SSH, shares by API; tried on a TrueNAS that is played, not on a real one" + alias;
                add(joined(family + "-" + protocol, files ? ZFS : ZVOL, exporter + "-with-ssh", remark)
                        .of("sshConnection", "httpConnection", "zfs", protocol));
                String store = files ? "truenas-filesystem" : "truenas-volume";
                add(joined(
                                family + "-api-" + protocol,
                                store,
                                exporter,
                                "all by API; tried on a TrueNAS that is played, not on a real one" + alias)
                        .of("httpConnection", "zfs", protocol));
            }
        }
    }

    private void appliances() {
        synology("iscsi", "LUNs by the DSM API");
        synology("nfs", "never finished in democratic-csi");
        synology("smb", "never finished in democratic-csi");
    }

    private void synology(String protocol, String remark) {
        String name = "synology-" + protocol;
        add(joined(name, "synology", name, remark).of("httpConnection", "synology", protocol));
    }

    private void refused() {
        refused("proxy", "the main file's driver, which connections are under; name a storage's own type here");
        String licensed = "mounts whole file systems by a licensed client on the node; run democratic-csi for it";
        add(given("objectivefs", State.REFUSED, licensed).of("objectivefs"));
        String inline = "volumes that live and die with a pod never reach a controller;"
                + " use a generic ephemeral volume of any other type";
        refused("zfs-local-ephemeral-inline", inline);
        refused("containerd-oci-ephemeral-inline", inline);
        refused("vhd-ephemeral-inline", inline);
    }

    private void add(Row row) {
        rows.put(row.name(), row);
    }

    private void row(String name, String store, String exporter, String remark) {
        add(joined(name, store, exporter, remark));
    }

    /** Returns a row whose file has one block, of its name. */
    private static Row joined(String name, String store, String exporter, String remark) {
        return new Row(name, name, Set.of(name), store, exporter, Optional.empty(), remark);
    }

    /** Adds a type whose node mounts one share and keeps volumes as directories in it. */
    private void client(String protocol, String remark) {
        String name = protocol + "-client";
        add(new Row(name, protocol, Set.of(protocol), "directory", "static-" + protocol, Optional.empty(), remark));
    }

    private boolean isBuilt(Row row) {
        return row.given().isEmpty() && stores.containsKey(row.store()) && exporters.containsKey(row.exporter());
    }

    private DriverType type(Row row) {
        StoreTraits keeps = Optional.ofNullable(stores.get(row.store()))
                .map(store -> store.get().traits())
                .orElse(NOTHING);
        Optional<ExporterTraits> exports = Optional.ofNullable(exporters.get(row.exporter()))
                .filter(_ -> isBuilt(row))
                .map(exporter -> exporter.get().traits());
        State state = row.given().orElseGet(() -> exports.map(this::state).orElse(State.PLANNED));
        return new DriverType(
                row.name(),
                state,
                row.block(),
                row.defaults(),
                row.store(),
                row.exporter(),
                keeps,
                exports,
                row.remark());
    }

    private State state(ExporterTraits exporter) {
        return attachable.contains(exporter.attachment()) ? State.AVAILABLE : State.CONTROLLER;
    }

    private void refused(String name, String remark) {
        add(given(name, State.REFUSED, remark));
    }

    /** Returns a type without a store and an exporter, whose state therefore derives from nothing. */
    private static Row given(String name, State state, String remark) {
        return new Row(name, name, Set.of(), "", "", Optional.of(state), remark);
    }

    public Collection<DriverType> rows() {
        return rows.values().stream().map(this::type).toList();
    }

    /** Returns the blocks of connections for which a proxy's main file may give defaults. */
    public Set<String> defaults() {
        return rows.values().stream().flatMap(row -> row.defaults().stream()).collect(toSet());
    }

    /** Returns the folders below which the volumes of such a file lie on this node, if they are plain paths of it. */
    public List<Path> hostPaths(DriverType type, ConfigNode file) {
        return Optional.ofNullable(exporters.get(type.exporter()))
                .map(exporter -> exporter.get().hostPaths(type.block(), file))
                .orElse(List.of());
    }

    Optional<DriverType> named(String name) {
        return Optional.ofNullable(rows.get(name)).map(this::type);
    }

    private Optional<String> nearest(String name) {
        return Suggestion.nearest(name, rows.keySet());
    }

    /** Returns the names of the types that a connection can have in this version. */
    List<String> available() {
        return rows.values().stream().filter(this::isBuilt).map(Row::name).toList();
    }

    /** Returns the type that a file names in {@code driver}; empty, with a problem, if no connection can have it. */
    public Optional<DriverType> of(ConfigNode file) {
        String name = file.require("driver", "expected: one of " + String.join(", ", available()));
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Optional<DriverType> type = named(name);
        if (type.isEmpty()) {
            refuse(
                    file,
                    "'" + name + "' is no driver type",
                    nearest(name)
                            .map(near -> "did you mean " + near + "?")
                            .orElse("expected: one of " + String.join(", ", available())));
            return type;
        }
        switch (type.get().state()) {
            case AVAILABLE, CONTROLLER, NODE -> {
                return type;
            }
            case PLANNED ->
                refuse(
                        file,
                        name + " is not built yet",
                        "run democratic-csi for this connection until it is; today there is "
                                + String.join(", ", available()));
            case REFUSED ->
                refuse(file, name + " cannot be a connection", type.get().remark());
        }
        return Optional.empty();
    }

    private static void refuse(ConfigNode file, String what, String remedy) {
        file.problems().error("driver", file.lineOf("driver"), what, remedy);
    }
}
