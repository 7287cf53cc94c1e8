package dev.fairlead.adapter.freenas.roles;

import static dev.fairlead.adapter.freenas.client.ApiMethod.Verb.CREATE;
import static dev.fairlead.adapter.freenas.client.ApiMethod.Verb.DELETE;
import static dev.fairlead.adapter.freenas.client.ApiMethod.Verb.QUERY;
import static dev.fairlead.adapter.freenas.client.ApiMethod.Verb.UPDATE;

import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiMethod;
import dev.fairlead.adapter.freenas.client.ApiMethod.OnCollection;
import dev.fairlead.adapter.freenas.client.ApiMethod.Verb;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Lists what a connection does on its box, each with the calls that it takes, from which its roles follow. */
public enum RoleUse {
    /** Keeps volumes and snapshots. */
    STORE("volumes and snapshots"),
    /** Sets the mode and the owner of new file systems. */
    PERMISSIONS("datasetPermissions…"),
    /** Copies what is to hang on nothing, if a StorageClass or VolumeSnapshotClass asks for that. */
    COPIES("copies of their own, if a class asks for them"),
    /** Asks what is on a block volume before it is published, if its user may. */
    CONTENT("whether a block volume was written"),
    /** Reads to whom a volume is published, and notes numbers of rows with it. */
    GRANTS("who is let in"),
    NFS("NFS shares"),
    SMB("SMB shares"),
    /** Sets a share's auxiliary parameters, which a box lets nobody else do. */
    SMB_PARAMETERS("shareAuxiliaryConfigurationTemplate"),
    ISCSI("iSCSI targets"),
    /** Finds portal groups by their addresses, for a file that has no {@code targetGroups}. */
    ISCSI_PORTALS("iSCSI portals by address"),
    NVMEOF("NVMe-oF subsystems"),
    /** Asks whether the service of the protocol runs, if its user may. */
    SERVICES("whether the box's service runs");

    private static final String READ = "_READ";
    private static final String WRITE = "_WRITE";

    private final String purpose;

    RoleUse(String purpose) {
        this.purpose = purpose;
    }

    /** Returns what a store does. */
    public static Set<RoleUse> ofStore(boolean isBlock, boolean setsPermissions) {
        Set<RoleUse> all = EnumSet.of(STORE, COPIES);
        if (isBlock) {
            all.add(CONTENT);
        }
        if (setsPermissions) {
            all.add(PERMISSIONS);
        }
        return all;
    }

    /** Returns what it is called where people read. */
    public String purpose() {
        return purpose;
    }

    private Stream<? extends ApiMethod> all() {
        return switch (this) {
            case STORE ->
                join(List.of(
                        on(ApiCollection.POOL, QUERY),
                        on(ApiCollection.DATASET, QUERY, CREATE, UPDATE, DELETE),
                        on(ApiCollection.SNAPSHOT, QUERY, CREATE, UPDATE, DELETE),
                        Stream.of(
                                ApiAction.SNAPSHOT_CLONE,
                                ApiAction.DATASET_PROMOTE,
                                ApiAction.DATASET_RENAME,
                                ApiAction.RESOURCE_SNAPSHOT_QUERY,
                                ApiAction.RESOURCE_SNAPSHOT_CREATE)));
            case PERMISSIONS -> Stream.of(ApiAction.FILESYSTEM_SETPERM, ApiAction.FILESYSTEM_CHOWN);
            case COPIES -> Stream.of(ApiAction.REPLICATION_RUN);
            case CONTENT -> Stream.of(ApiAction.RESOURCE_QUERY);
            case GRANTS -> on(ApiCollection.DATASET, QUERY, UPDATE);
            case NFS -> on(ApiCollection.NFS_SHARE, Verb.values());
            case SMB -> join(List.of(Stream.of(ApiAction.SMB_STATUS), on(ApiCollection.SMB_SHARE, Verb.values())));
            case SMB_PARAMETERS -> Stream.of();
            case ISCSI ->
                join(List.of(
                        Stream.of(ApiAction.ISCSI_GLOBAL_CONFIG),
                        on(ApiCollection.ISCSI_TARGET, Verb.values()),
                        on(ApiCollection.ISCSI_EXTENT, QUERY, CREATE, DELETE),
                        on(ApiCollection.ISCSI_TARGETEXTENT, QUERY, CREATE, DELETE),
                        on(ApiCollection.ISCSI_INITIATOR, Verb.values())));
            case ISCSI_PORTALS -> on(ApiCollection.ISCSI_PORTAL, QUERY);
            case NVMEOF ->
                join(List.of(
                        Stream.of(ApiAction.NVMET_GLOBAL_CONFIG),
                        on(ApiCollection.NVMET_SUBSYS, Verb.values()),
                        on(ApiCollection.NVMET_NAMESPACE, QUERY, CREATE, DELETE),
                        on(ApiCollection.NVMET_PORT, QUERY),
                        on(ApiCollection.NVMET_PORT_SUBSYS, QUERY, CREATE, DELETE),
                        on(ApiCollection.NVMET_HOST, QUERY, CREATE),
                        on(ApiCollection.NVMET_HOST_SUBSYS, QUERY, CREATE, DELETE)));
            case SERVICES -> on(ApiCollection.SERVICE, QUERY);
        };
    }

    private static Stream<? extends ApiMethod> join(List<Stream<? extends ApiMethod>> parts) {
        return parts.stream().flatMap(part -> part);
    }

    private static Stream<OnCollection> on(ApiCollection collection, Verb... verbs) {
        return Stream.of(verbs).map(verb -> new OnCollection(collection, verb));
    }

    /** Says whether it is done only if a class asks for it or the user may: the file of a connection does not tell. */
    public boolean isOptional() {
        return this == COPIES || this == CONTENT || this == SERVICES;
    }

    /** Returns the calls that a release takes for it. */
    public List<ApiMethod> methods(TruenasRelease release) {
        if (this == COPIES && ApiAction.DATASET_RENAME.name(release).isEmpty()) {
            return List.of(); // no copy is made there
        }
        return all().<ApiMethod>map(method -> method)
                .filter(method -> method.name(release).isPresent())
                .toList();
    }

    /** Returns the roles that a release asks for; a role to write has the one to read in it, which is left out then. */
    public Set<String> roles(TruenasRelease release) {
        // For the parameters of a share no method asks for more, but one of its arguments does.
        Set<String> roles = new TreeSet<>(this == SMB_PARAMETERS ? Set.of("FULL_ADMIN") : Set.of());
        methods(release).forEach(method -> method.role().ifPresent(roles::add));
        roles.removeIf(role ->
                role.endsWith(READ) && roles.contains(role.substring(0, role.length() - READ.length()) + WRITE));
        return roles;
    }
}
