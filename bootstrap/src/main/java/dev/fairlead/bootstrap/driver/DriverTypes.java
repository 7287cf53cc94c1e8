package dev.fairlead.bootstrap.driver;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Suggestion;
import dev.fairlead.application.port.in.DriverProfile.Controller;
import dev.fairlead.application.port.in.DriverProfile.Node;
import dev.fairlead.bootstrap.driver.DriverType.State;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.CapabilityRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lists every driver type by democratic-csi's name, in the order of the documentation; each joins a store to an
 * exporter. A new pair is a row here.
 */
public final class DriverTypes {
    /**
     * The controller capabilities of every store with snapshots; the others depend on the type. Publishing is offered
     * only if the file asks for it, since it needs a setting of the CSIDriver object and a sidecar.
     */
    private static final Set<Controller> FULL =
            EnumSet.complementOf(EnumSet.of(Controller.PUBLISH_UNPUBLISH_VOLUME, Controller.PUBLISH_READONLY));

    /** The same for a store whose volumes have no mutable properties. */
    private static final Set<Controller> DIRECTORIES = EnumSet.complementOf(
            EnumSet.of(Controller.MODIFY_VOLUME, Controller.PUBLISH_UNPUBLISH_VOLUME, Controller.PUBLISH_READONLY));

    private static final Set<Node> FILES =
            EnumSet.of(Node.STAGE_UNSTAGE_VOLUME, Node.GET_VOLUME_STATS, Node.SINGLE_NODE_MULTI_WRITER);
    private static final Set<Node> BLOCKS = EnumSet.allOf(Node.class);

    private static final String ZFS = "zfs-filesystem";
    private static final String ZVOL = "zfs-volume";
    private static final Set<String> ZFS_PARAMETERS =
            Set.of("parent", "detachedVolumesFromSnapshots", "detachedVolumesFromVolumes", "detachedSnapshots");

    private static final CapabilityRules NOTHING = new CapabilityRules(Set.of(), false, false, Set.of());

    private final Map<String, DriverType> rows = new LinkedHashMap<>();
    private final Set<Class<?>> attachable;

    private DriverTypes(Set<Class<?>> attachable) {
        this.attachable = Set.copyOf(attachable);
    }

    /** Returns the table, by the attachments that the nodes of this version can attach. */
    public static DriverTypes all() {
        return all(AttacherComponent.attachable());
    }

    /**
     * @param attachable the attachments that nodes can attach; pods can use a type that is built only if its attachment
     *     is among them
     */
    static DriverTypes all(Set<Class<?>> attachable) {
        var types = new DriverTypes(attachable);
        types.local();
        types.zfs();
        types.trueNas();
        types.appliances();
        types.refused();
        return types;
    }

    /** Returns the same table with another row. */
    DriverTypes with(DriverType row) {
        var types = new DriverTypes(attachable);
        types.rows.putAll(rows);
        types.rows.put(row.name(), row);
        return types;
    }

    private void local() {
        rows.put(
                "local-hostpath",
                new DriverType(
                        "local-hostpath",
                        state(Attachment.HostPath.class),
                        "directory",
                        "local-path",
                        Optional.of(Attachment.HostPath.class),
                        true,
                        CapabilityRules.localHostpath(),
                        DIRECTORIES,
                        BLOCKS,
                        Set.of("driver"),
                        "directories on the node itself; sizes are advisory"));
        planned("nfs-client", "directory", "static-nfs", false, FILES, "directories of one NFS share");
        planned("smb-client", "directory", "static-smb", false, FILES, "directories of one SMB share");
        planned("lustre-client", "directory", "static-lustre", false, FILES, "directories of one Lustre file system");
        planned("node-manual", "", "", false, FILES, "volumes that somebody else made; node side only");
    }

    private void zfs() {
        files("zfs-generic-nfs", "zfs-sharenfs", Attachment.Nfs.class, "ZFS over SSH, the sharenfs property");
        files("zfs-generic-smb", "zfs-sharesmb", Attachment.Smb.class, "ZFS over SSH, the sharesmb property");
        devices("zfs-generic-iscsi", "targetcli", Attachment.Iscsi.class, "ZFS over SSH, LIO targets");
        devices("zfs-generic-nvmeof", "nvmetcli", Attachment.Nvmeof.class, "ZFS over SSH, kernel NVMe targets");
        own("zfs-local-dataset", ZFS, CapabilityRules.files(Set.of("zfs")), FILES, "datasets of the node's own pool");
        own("zfs-local-zvol", ZVOL, CapabilityRules.ownDevices(), BLOCKS, "volumes of the node's own pool");
    }

    private void files(String name, String exporter, Class<? extends Attachment> attachment, String remark) {
        put(name, ZFS, exporter, attachment, false, CapabilityRules.files(Set.of("nfs", "cifs")), FILES, remark);
    }

    private void devices(String name, String exporter, Class<? extends Attachment> attachment, String remark) {
        put(name, ZVOL, exporter, attachment, false, CapabilityRules.sharedDevices(), BLOCKS, remark);
    }

    /** Adds a type of the node's own pool, whose exporter has the type's name. */
    private void own(String name, String store, CapabilityRules rules, Set<Node> node, String remark) {
        put(name, store, name, Attachment.ZfsLocal.class, true, rules, node, remark);
    }

    private void put(
            String name,
            String store,
            String exporter,
            Class<? extends Attachment> attachment,
            boolean nodeLocal,
            CapabilityRules rules,
            Set<Node> node,
            String remark) {
        rows.put(
                name,
                new DriverType(
                        name,
                        state(attachment),
                        store,
                        exporter,
                        Optional.of(attachment),
                        nodeLocal,
                        rules,
                        FULL,
                        node,
                        ZFS_PARAMETERS,
                        remark));
    }

    private State state(Class<? extends Attachment> attachment) {
        return attachable.contains(attachment) ? State.AVAILABLE : State.CONTROLLER;
    }

    private void trueNas() {
        for (String family : List.of("freenas", "truenas")) {
            String alias = family.equals("truenas") ? "; the same as freenas-…" : "";
            for (String protocol : List.of("nfs", "smb", "iscsi", "nvmeof")) {
                boolean files = protocol.equals("nfs") || protocol.equals("smb");
                Set<Node> node = files ? FILES : BLOCKS;
                String exporter = "truenas-" + protocol;
                planned(
                        family + "-" + protocol,
                        files ? ZFS : ZVOL,
                        exporter,
                        false,
                        node,
                        "ZFS over SSH, shares by API" + alias);
                planned(family + "-api-" + protocol, "truenas", exporter, false, node, "all by API" + alias);
            }
        }
    }

    private void appliances() {
        planned("synology-iscsi", "synology", "synology-iscsi", false, BLOCKS, "LUNs by the DSM API");
        planned("synology-nfs", "synology", "synology-nfs", false, FILES, "never finished in democratic-csi");
        planned("synology-smb", "synology", "synology-smb", false, FILES, "never finished in democratic-csi");
    }

    private void refused() {
        refused("proxy", "the main file's driver, which connections are under; name a storage's own type here");
        refused("objectivefs", "mounts whole file systems by a licensed client on the node; run democratic-csi for it");
        String inline = "volumes that live and die with a pod never reach a controller;"
                + " use a generic ephemeral volume of any other type";
        refused("zfs-local-ephemeral-inline", inline);
        refused("containerd-oci-ephemeral-inline", inline);
        refused("vhd-ephemeral-inline", inline);
    }

    private void planned(String name, String store, String exporter, boolean nodeLocal, Set<Node> node, String remark) {
        rows.put(
                name,
                new DriverType(
                        name,
                        State.PLANNED,
                        store,
                        exporter,
                        Optional.empty(),
                        nodeLocal,
                        NOTHING,
                        FULL,
                        node,
                        Set.of(),
                        remark));
    }

    private void refused(String name, String remark) {
        rows.put(
                name,
                new DriverType(
                        name,
                        State.REFUSED,
                        "",
                        "",
                        Optional.empty(),
                        false,
                        NOTHING,
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        remark));
    }

    public Collection<DriverType> rows() {
        return List.copyOf(rows.values());
    }

    Optional<DriverType> named(String name) {
        return Optional.ofNullable(rows.get(name));
    }

    private Optional<String> nearest(String name) {
        return Suggestion.nearest(name, rows.keySet());
    }

    /** Returns the names of the types that a connection can have in this version. */
    List<String> available() {
        List<String> names = new ArrayList<>();
        rows.values().stream().filter(DriverType::isAvailable).forEach(type -> names.add(type.name()));
        return names;
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
            case AVAILABLE, CONTROLLER -> {
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
