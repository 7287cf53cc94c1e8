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
    /** Takes {@code [{snapshot, dataset_dst, dataset_properties}]}. */
    SNAPSHOT_CLONE("pool.snapshot.clone", Kind.CHANGE, "data"),
    /** Takes {@code [{paths, properties, …}]}; since 25.10. */
    RESOURCE_QUERY("zfs.resource.query", Kind.READ, 2510, "data"),
    /** Takes {@code [{paths, …}]}; since 26. */
    RESOURCE_SNAPSHOT_QUERY("zfs.resource.snapshot.query", Kind.READ, 2600, "data"),
    /** Takes {@code [{dataset, name, recursive, exclude, user_properties}]}; since 26. */
    RESOURCE_SNAPSHOT_CREATE("zfs.resource.snapshot.create", Kind.CHANGE, 2600, "data"),
    /** Takes {@code [{direction, transport, source_datasets, target_dataset, …}]}. */
    REPLICATION_RUN("replication.run_onetime", Kind.JOB, "data"),
    /** Takes {@code [{path, mode, uid, gid, options}]}. */
    FILESYSTEM_SETPERM("filesystem.setperm", Kind.JOB, "data"),
    /** Takes {@code [{path, uid, gid, options}]}. */
    FILESYSTEM_CHOWN("filesystem.chown", Kind.JOB, "data"),
    /** Takes nothing. */
    ISCSI_GLOBAL_CONFIG("iscsi.global.config", Kind.READ),
    /** Takes nothing; since 25.10, as all of {@code nvmet}. */
    NVMET_GLOBAL_CONFIG("nvmet.global.config", Kind.READ, 2510),
    /**
     * Takes {@code [info_level, filters, options, {fast, verbose, …}]}. CORE answers what Samba's program prints, in a
     * form that nobody has described, and 25.10 keeps the method to itself.
     */
    SMB_STATUS("smb.status", Kind.READ, 2410, "info_level", "query-filters", "query-options", "status_options"),
    /** Takes {@code [filters, options]}. */
    JOBS("core.get_jobs", Kind.READ, "query-filters", "query-options"),
    /** Takes nothing; tells the user of the session and its roles. */
    AUTH_ME("auth.me", Kind.READ);

    private enum Kind {
        READ,
        CHANGE,
        JOB
    }

    private static final int HUNDRED = 100;
    private static final int WITHOUT_STATUS = 2510;
    private static final String NEW_SNAPSHOTS = "pool.snapshot.";

    private final String method;
    private final Kind kind;
    private final int since;
    /** The names of the arguments, with spaces between them. */
    private final String parameters;

    ApiAction(String method, Kind kind, String... parameters) {
        this(method, kind, 0, parameters);
    }

    /** @param since the first release that has it, as 2510 for 25.10 */
    ApiAction(String method, Kind kind, int since, String... parameters) {
        this.method = method;
        this.kind = kind;
        this.since = since;
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
        return kind != Kind.READ;
    }

    @Override
    public boolean isJob(TruenasRelease release) {
        return kind == Kind.JOB;
    }

    @Override
    public Optional<String> name(TruenasRelease release) {
        int number = release.isCore()
                ? 0
                : release.api().major() * HUNDRED + release.api().minor();
        if (number < since || (this == SMB_STATUS && number == WITHOUT_STATUS)) {
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
