package dev.fairlead.zfs.property;

import java.util.List;

/**
 * Holds the user properties in which democratic-csi keeps what it knows of a volume or snapshot. They are written and
 * read exactly as it does, so that each driver can use the other's volumes.
 *
 * <p>ZFS hands user properties down to children and snapshots: the mark of a managed dataset counts only if it was set
 * on that dataset itself.
 */
public final class PeerProperties {
    private static final String PREFIX = "democratic-csi:";

    /** {@code true} on each volume, snapshot and detached snapshot. */
    public static final String MANAGED = PREFIX + "managed_resource";

    /** {@code true} once all steps of the creation are done; informative. */
    public static final String SUCCESS = PREFIX + "provision_success";

    public static final String VOLUME_NAME = PREFIX + "csi_volume_name";
    public static final String SOURCE_TYPE = PREFIX + "csi_volume_content_source_type";
    public static final String SOURCE_ID = PREFIX + "csi_volume_content_source_id";
    public static final String PROVISIONER_DRIVER = PREFIX + "volume_context_provisioner_driver";
    public static final String PROVISIONER_INSTANCE = PREFIX + "volume_context_provisioner_instance_id";

    /** The volume_context as compact JSON, without the two keys of the provisioner. */
    public static final String SHARE_CONTEXT = PREFIX + "csi_share_volume_context";

    public static final String SNAPSHOT_NAME = PREFIX + "csi_snapshot_name";
    public static final String SNAPSHOT_SOURCE = PREFIX + "csi_snapshot_source_volume_id";

    /** The name of the target of an iSCSI volume, without the base. */
    public static final String ISCSI_ASSET = PREFIX + "iscsi_assets_name";

    /** The name of the subsystem of an NVMe-oF volume, without the base. */
    public static final String NVMEOF_ASSET = PREFIX + "nvmeof_assets_name";

    /** The names, without {@link #FREENAS_PREFIX}, of the properties of what a TrueNAS exports a volume by. */
    public static final List<String> FREENAS_IDS = List.of(
            "nfs_share_id",
            "smb_share_id",
            "iscsi_target_id",
            "iscsi_extent_id",
            "iscsi_targettoextent_id",
            "iscsi_assets_name",
            "nvmeof_subsystem_id",
            "nvmeof_namespace_id",
            "nvmeof_assets_name");

    /** The beginning of the names of those properties. */
    public static final String FREENAS_PREFIX = PREFIX + "freenas_";

    /** The value of {@link #MANAGED} and {@link #SUCCESS}. */
    public static final String TRUE = "true";

    private PeerProperties() {}
}
