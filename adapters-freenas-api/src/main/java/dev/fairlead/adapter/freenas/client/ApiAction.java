package dev.fairlead.adapter.freenas.client;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Lists the methods that only one namespace has, with their arguments and the releases that have them. */
public enum ApiAction implements ApiMethod {
    /** Takes {@code [id]}. */
    DATASET_PROMOTE("pool.dataset.promote", Kind.CHANGE, "id"),
    /** Takes {@code [id, {new_name, …}]}; since 25.10. */
    DATASET_RENAME("pool.dataset.rename", Kind.CHANGE, 2510, "id", "data"),
    /** Takes {@code [name, {all, …}]}; up to 25.10. */
    DATASET_DESTROY_SNAPSHOTS("pool.dataset.destroy_snapshots", Kind.JOB, 0, 2600, "name", "snapshots"),
    /** Takes {@code [id]}. */
    DATASET_ATTACHMENTS("pool.dataset.attachments", Kind.READ, "id"),
    /** Takes {@code [{paths, properties, …}]}; since 25.10. */
    RESOURCE_QUERY("zfs.resource.query", Kind.READ, 2510, "data"),
    /** Takes {@code [{path, recursive}]}; since 26. */
    RESOURCE_DESTROY("zfs.resource.destroy", Kind.CHANGE, 2600, "data"),
    /** Takes {@code [{snapshot, dataset_dst, dataset_properties}]}. */
    SNAPSHOT_CLONE("pool.snapshot.clone", Kind.CHANGE, "data"),
    /** Takes {@code [id, {recursive, …}]}. */
    SNAPSHOT_ROLLBACK("pool.snapshot.rollback", Kind.CHANGE, "id", "options"),
    /** Takes {@code [id, {recursive}]}. */
    SNAPSHOT_HOLD("pool.snapshot.hold", Kind.CHANGE, "id", "options"),
    /** Takes {@code [id, {recursive}]}. */
    SNAPSHOT_RELEASE("pool.snapshot.release", Kind.CHANGE, "id", "options"),
    /** Takes {@code [id, {new_name, force}]}; since 25.10. */
    SNAPSHOT_RENAME("pool.snapshot.rename", Kind.CHANGE, 2510, "id", "options"),
    /** Takes {@code [{paths, …}]}; since 26, as the other methods of {@code zfs.resource.snapshot}. */
    RESOURCE_SNAPSHOT_QUERY("zfs.resource.snapshot.query", Kind.READ, 2600, "data"),
    RESOURCE_SNAPSHOT_COUNT("zfs.resource.snapshot.count", Kind.READ, 2600, "data"),
    RESOURCE_SNAPSHOT_HOLDS("zfs.resource.snapshot.holds", Kind.READ, 2600, "data"),
    RESOURCE_SNAPSHOT_CREATE("zfs.resource.snapshot.create", Kind.CHANGE, 2600, "data"),
    RESOURCE_SNAPSHOT_DESTROY("zfs.resource.snapshot.destroy", Kind.CHANGE, 2600, "data"),
    RESOURCE_SNAPSHOT_CLONE("zfs.resource.snapshot.clone", Kind.CHANGE, 2600, "data"),
    RESOURCE_SNAPSHOT_HOLD("zfs.resource.snapshot.hold", Kind.CHANGE, 2600, "data"),
    RESOURCE_SNAPSHOT_RELEASE("zfs.resource.snapshot.release", Kind.CHANGE, 2600, "data"),
    RESOURCE_SNAPSHOT_RENAME("zfs.resource.snapshot.rename", Kind.CHANGE, 2600, "data"),
    RESOURCE_SNAPSHOT_ROLLBACK("zfs.resource.snapshot.rollback", Kind.CHANGE, 2600, "data"),
    /** Takes {@code [{direction, transport, source_datasets, target_dataset, …}]}. */
    REPLICATION_RUN("replication.run_onetime", Kind.JOB, "data"),
    /** Takes {@code [path]}. */
    FILESYSTEM_STAT("filesystem.stat", Kind.READ, "path"),
    /** Takes {@code [path]}. */
    FILESYSTEM_STATFS("filesystem.statfs", Kind.READ, "path"),
    /** Takes {@code [{path, mode, uid, gid, options}]}. */
    FILESYSTEM_SETPERM("filesystem.setperm", Kind.JOB, "data"),
    /** Takes {@code [{path, uid, gid, options}]}. */
    FILESYSTEM_CHOWN("filesystem.chown", Kind.JOB, "data"),
    /** Takes {@code [{path, dacl, options, acltype}]}. */
    FILESYSTEM_SETACL("filesystem.setacl", Kind.JOB, "data"),
    /** Takes nothing. */
    ISCSI_GLOBAL_CONFIG("iscsi.global.config", Kind.READ),
    /** Takes {@code [filters, options]}. */
    ISCSI_SESSIONS("iscsi.global.sessions", Kind.READ, "query-filters", "query-options"),
    /** Takes nothing; since 25.10, as all of {@code nvmet}. */
    NVMET_GLOBAL_CONFIG("nvmet.global.config", Kind.READ, 2510),
    /** Takes {@code [filters, options]}. */
    NVMET_SESSIONS("nvmet.global.sessions", Kind.READ, 2510, "query-filters", "query-options"),
    /** Takes {@code [verb, service, options]}; before 25.10 the box has a method for each verb, and no job. */
    SERVICE_CONTROL("service.control", Kind.JOB, "verb", "service", "options"),
    /** Takes {@code [filters, options]}. */
    JOBS("core.get_jobs", Kind.READ, "query-filters", "query-options"),
    /** Takes {@code [id]}. */
    JOB_ABORT("core.job_abort", Kind.CHANGE, "id"),
    /** Takes nothing. */
    SYSTEM_INFO("system.info", Kind.READ),
    /** Takes nothing. */
    SYSTEM_VERSION("system.version", Kind.READ),
    /** Takes nothing; tells the user of the session and its roles. */
    AUTH_ME("auth.me", Kind.READ);

    private enum Kind {
        READ,
        CHANGE,
        JOB
    }

    private static final int NEVER = Integer.MAX_VALUE;
    private static final int HUNDRED = 100;
    private static final String NEW_SNAPSHOTS = "pool.snapshot.";

    private final String method;
    private final Kind kind;
    private final int since;
    private final int until;
    /** The names of the arguments, with spaces between them. */
    private final String parameters;

    ApiAction(String method, Kind kind, String... parameters) {
        this(method, kind, 0, NEVER, parameters);
    }

    ApiAction(String method, Kind kind, int since, String... parameters) {
        this(method, kind, since, NEVER, parameters);
    }

    /** @param since the first release that has it, as 2510 for 25.10; {@code until}: the first that lacks it again */
    ApiAction(String method, Kind kind, int since, int until, String... parameters) {
        this.method = method;
        this.kind = kind;
        this.since = since;
        this.until = until;
        this.parameters = String.join(" ", parameters);
    }

    @Override
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public boolean isRead() {
        return kind == Kind.READ;
    }

    @Override
    public boolean mayTakeLong() {
        return kind != Kind.READ && this != SERVICE_CONTROL && this != JOB_ABORT;
    }

    @Override
    public boolean isJob(TruenasRelease release) {
        return kind == Kind.JOB && !(this == SERVICE_CONTROL && isOld(release));
    }

    @Override
    public Optional<String> name(TruenasRelease release) {
        int number = release.isCore()
                ? 0
                : release.api().major() * HUNDRED + release.api().minor();
        if (number < since || number >= until) {
            return Optional.empty();
        }
        boolean renamed = method.startsWith(NEW_SNAPSHOTS) && isOld(release);
        return Optional.of(renamed ? "zfs.snapshot." + method.substring(NEW_SNAPSHOTS.length()) : method);
    }

    /** Returns the names of the arguments, by which REST takes them. */
    public List<String> parameters() {
        return parameters.isEmpty() ? List.of() : List.of(parameters.split(" "));
    }

    private static boolean isOld(TruenasRelease release) {
        return release.isCore() || !release.isAtLeast(25, 10);
    }
}
