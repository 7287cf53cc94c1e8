package dev.fairlead.adapter.freenas.client;

import dev.fairlead.adapter.freenas.client.ApiMethod.OnCollection;
import dev.fairlead.adapter.freenas.client.ApiMethod.Verb;
import java.util.Optional;

/** Knows the roles by which a box allows methods; docs/drivers/truenas.md lists them by feature. */
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
            case RESOURCE_QUERY -> Optional.of("ZFS_RESOURCE_READ");
            case RESOURCE_SNAPSHOT_QUERY -> Optional.of("SNAPSHOT_READ");
            case SNAPSHOT_CLONE, RESOURCE_SNAPSHOT_CREATE -> Optional.of("SNAPSHOT_WRITE");
            case REPLICATION_RUN -> Optional.of("REPLICATION_TASK_WRITE");
            case FILESYSTEM_SETPERM, FILESYSTEM_CHOWN -> Optional.of("FILESYSTEM_ATTRS_WRITE");
            case ISCSI_GLOBAL_CONFIG -> Optional.of("SHARING_ISCSI_GLOBAL_READ");
            case NVMET_GLOBAL_CONFIG -> Optional.of("SHARING_NVME_TARGET_READ");
            case SMB_STATUS -> Optional.of("SHARING_SMB_READ");
            case JOBS, AUTH_ME -> Optional.empty();
        };
    }
}
