package dev.fairlead.adapter.freenas.client;

import dev.fairlead.adapter.freenas.client.ApiMethod.OnCollection;
import dev.fairlead.adapter.freenas.client.ApiMethod.Verb;
import java.util.Optional;

/** Knows the roles by which a box allows methods (reference 03, section 2.2). */
final class ApiRoles {
    private ApiRoles() {}

    static Optional<String> of(ApiMethod method) {
        return switch (method) {
            case OnCollection(ApiCollection collection, Verb verb) -> Optional.of(of(collection, verb));
            case ApiAction action -> of(action);
        };
    }

    private static String of(ApiCollection collection, Verb verb) {
        boolean reads = verb == Verb.QUERY || verb == Verb.GET;
        String what = subject(collection);
        if (reads) {
            return what + "_READ";
        }
        boolean apart = collection == ApiCollection.DATASET || collection == ApiCollection.SNAPSHOT;
        return what + (apart && verb == Verb.DELETE ? "_DELETE" : "_WRITE");
    }

    private static String subject(ApiCollection collection) {
        return switch (collection) {
            case POOL -> "POOL";
            case DATASET -> "DATASET";
            case SNAPSHOT -> "SNAPSHOT";
            case NFS_SHARE -> "SHARING_NFS";
            case SMB_SHARE -> "SHARING_SMB";
            case ISCSI_PORTAL -> "SHARING_ISCSI_PORTAL";
            case ISCSI_INITIATOR -> "SHARING_ISCSI_INITIATOR";
            case ISCSI_AUTH -> "SHARING_ISCSI_AUTH";
            case ISCSI_TARGET -> "SHARING_ISCSI_TARGET";
            case ISCSI_EXTENT -> "SHARING_ISCSI_EXTENT";
            case ISCSI_TARGETEXTENT -> "SHARING_ISCSI_TARGETEXTENT";
            case NVMET_SUBSYS, NVMET_NAMESPACE, NVMET_PORT, NVMET_PORT_SUBSYS, NVMET_HOST, NVMET_HOST_SUBSYS ->
                "SHARING_NVME_TARGET";
            case SERVICE -> "SERVICE";
        };
    }

    private static Optional<String> of(ApiAction action) {
        return switch (action) {
            case DATASET_PROMOTE, DATASET_RENAME -> Optional.of("DATASET_WRITE");
            case DATASET_ATTACHMENTS -> Optional.of("DATASET_READ");
            case RESOURCE_QUERY -> Optional.of("ZFS_RESOURCE_READ");
            case RESOURCE_DESTROY -> Optional.of("ZFS_RESOURCE_DELETE");
            case RESOURCE_SNAPSHOT_QUERY, RESOURCE_SNAPSHOT_COUNT, RESOURCE_SNAPSHOT_HOLDS ->
                Optional.of("SNAPSHOT_READ");
            case RESOURCE_SNAPSHOT_DESTROY -> Optional.of("SNAPSHOT_DELETE");
            case DATASET_DESTROY_SNAPSHOTS,
                    SNAPSHOT_CLONE,
                    SNAPSHOT_ROLLBACK,
                    SNAPSHOT_HOLD,
                    SNAPSHOT_RELEASE,
                    SNAPSHOT_RENAME,
                    RESOURCE_SNAPSHOT_CREATE,
                    RESOURCE_SNAPSHOT_CLONE,
                    RESOURCE_SNAPSHOT_HOLD,
                    RESOURCE_SNAPSHOT_RELEASE,
                    RESOURCE_SNAPSHOT_RENAME,
                    RESOURCE_SNAPSHOT_ROLLBACK -> Optional.of("SNAPSHOT_WRITE");
            case REPLICATION_RUN -> Optional.of("REPLICATION_TASK_WRITE");
            case FILESYSTEM_STAT, FILESYSTEM_STATFS -> Optional.of("FILESYSTEM_ATTRS_READ");
            case FILESYSTEM_SETPERM, FILESYSTEM_CHOWN, FILESYSTEM_SETACL -> Optional.of("FILESYSTEM_ATTRS_WRITE");
            case ISCSI_GLOBAL_CONFIG, ISCSI_SESSIONS -> Optional.of("SHARING_ISCSI_GLOBAL_READ");
            case NVMET_GLOBAL_CONFIG, NVMET_SESSIONS -> Optional.of("SHARING_NVME_TARGET_READ");
            case SERVICE_CONTROL -> Optional.of("SERVICE_WRITE");
            case SYSTEM_INFO -> Optional.of("READONLY_ADMIN");
            case JOBS, JOB_ABORT, SYSTEM_VERSION, AUTH_ME -> Optional.empty();
        };
    }
}
