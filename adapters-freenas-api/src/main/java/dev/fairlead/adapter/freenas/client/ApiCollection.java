package dev.fairlead.adapter.freenas.client;

import java.util.Locale;
import java.util.Optional;

/** Lists the collections of objects that a box keeps, each with its namespace by release. */
public enum ApiCollection {
    POOL("pool"),
    /** File systems and zvols; the id is the name. */
    DATASET("pool.dataset"),
    /** Snapshots, {@code zfs.snapshot} before 25.10; the id is {@code dataset@name}. */
    SNAPSHOT("pool.snapshot"),
    NFS_SHARE("sharing.nfs"),
    SMB_SHARE("sharing.smb"),
    ISCSI_PORTAL("iscsi.portal"),
    ISCSI_INITIATOR("iscsi.initiator"),
    ISCSI_AUTH("iscsi.auth"),
    ISCSI_TARGET("iscsi.target"),
    ISCSI_EXTENT("iscsi.extent"),
    /** The extents of targets, with their LUNs. */
    ISCSI_TARGETEXTENT("iscsi.targetextent"),
    NVMET_SUBSYS("nvmet.subsys"),
    NVMET_NAMESPACE("nvmet.namespace"),
    NVMET_PORT("nvmet.port"),
    NVMET_PORT_SUBSYS("nvmet.port_subsys"),
    NVMET_HOST("nvmet.host"),
    NVMET_HOST_SUBSYS("nvmet.host_subsys"),
    SERVICE("service");

    private final String namespace;

    ApiCollection(String namespace) {
        this.namespace = namespace;
    }

    /** Returns the namespace in this release; empty if the release has no such objects. */
    public Optional<String> namespace(TruenasRelease release) {
        boolean since2510 = !release.isCore() && release.isAtLeast(25, 10);
        if (this == SNAPSHOT && !since2510) {
            return Optional.of("zfs.snapshot");
        }
        return namespace.startsWith("nvmet.") && !since2510 ? Optional.empty() : Optional.of(namespace);
    }

    /** Says whether its objects have numbers for ids, which may be others' once a configuration was restored. */
    public boolean isNumbered() {
        return switch (this) {
            case POOL, DATASET, SNAPSHOT, SERVICE -> false;
            default -> true;
        };
    }

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
