package dev.fairlead.simulator.pool;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.encryption.LockedDatasets;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.ErrorNumber;
import dev.fairlead.simulator.profile.Profile;
import java.util.Map;
import java.util.Optional;

/** Answers the methods of filesystem, on the mountpoints of datasets; there are no files. */
public final class FilesystemMethods {
    private static final Map<String, Long> IDS =
            Map.of("root", 0L, "wheel", 0L, "nobody", 65534L, "nogroup", 65534L, "apps", 568L);

    private final Store store;
    private final Zfs zfs;

    /** Makes them on a state. */
    public FilesystemMethods(Store store, Zfs zfs) {
        this.store = store;
        this.zfs = zfs;
    }

    /** Adds them; what changes permissions shares one lock, since the third beta of 26 one for each path. */
    public void addTo(Methods methods) {
        job(methods, "setperm");
        job(methods, "chown");
        job(methods, "setacl");
        methods.add(Method.of("filesystem.stat", this::stat)
                .roles("FILESYSTEM_ATTRS_READ")
                .takes("path"));
        methods.add(Method.of("filesystem.statfs", this::statfs)
                .roles("FILESYSTEM_ATTRS_READ")
                .takes("path"));
        methods.add(Method.of("filesystem.getacl", this::acl)
                .roles("FILESYSTEM_ATTRS_READ")
                .takes("path", "simplified", "resolve_ids"));
    }

    private void job(Methods methods, String name) {
        methods.add(Method.of("filesystem." + name, this::change)
                .roles("FILESYSTEM_ATTRS_WRITE")
                .takes(name.equals("setacl") ? "filesystem_acl" : "filesystem_" + name)
                .asJob(FilesystemMethods::lock));
    }

    private static String lock(Call call) {
        return call.box().since(Profile.V26_BETA)
                ? "perm_change:" + JsonTools.text(call.object(0), "path")
                : "perm_change";
    }

    private JsonObject at(Tables tables, String path) {
        String name = path.replaceFirst("^/mnt/", "");
        if (!path.startsWith("/mnt/"))
            throw ApiFailure.call(ErrorNumber.EINVAL, "Path must be within an existing pool mountpoint");
        return zfs.dataset(tables, name)
                .filter(row -> !Zfs.volume(row))
                .orElseThrow(() -> ApiFailure.call(ErrorNumber.ENOENT, "Path " + path + " not found"));
    }

    private JsonElement change(Call call) {
        JsonObject data = call.object(0);
        String path = JsonTools.text(data, "path");
        boolean strip = JsonTools.flag(JsonTools.child(data, "options"), "stripacl", false);
        store.update(tables -> {
            JsonObject row = at(tables, path);
            JsonObject perm = JsonTools.child(row, "perm").deepCopy();
            refuse(tables, call, row, perm, strip);
            if (strip) perm.addProperty("acl", false);
            JsonTools.at(data, "mode")
                    .ifPresent(mode -> perm.addProperty("mode", Integer.parseInt(mode.getAsString(), 8)));
            id(data, "uid", "user").ifPresent(uid -> perm.addProperty("uid", uid));
            id(data, "gid", "group").ifPresent(gid -> perm.addProperty("gid", gid));
            if (call.method().endsWith("setacl")
                    && !JsonTools.list(data, "dacl").isEmpty()) {
                perm.addProperty("acl", true);
                perm.add("dacl", data.get("dacl"));
            }
            tables.put(Zfs.DATASETS, JsonTools.text(row, "name"), JsonTools.with(row, "perm", perm));
        });
        return JsonNull.INSTANCE;
    }

    private static void refuse(Tables tables, Call call, JsonObject row, JsonObject perm, boolean strip) {
        String name = JsonTools.text(row, "name");
        String schema = call.schema().replace("setacl", "acl");
        if (LockedDatasets.holds(tables, name))
            throw ApiFailure.invalid(
                    schema + ".path",
                    "Path component " + (call.box().since(Profile.V25_10_0) ? "" : "for ")
                            + "is currently encrypted and locked");
        if (!name.contains("/"))
            throw ApiFailure.invalid(
                    schema + ".path", "The specified path is a ZFS pool mountpoint \"(/mnt/" + name + ")\" ");
        ZfsProperty readonly = ZfsProperty.ofZfs("readonly").orElseThrow();
        if (DatasetView.value(tables, name, readonly).raw().equals("on"))
            throw call.box().before(Profile.V25_04)
                    ? ApiFailure.call("[Errno 30] Read-only file system: '/mnt/" + name + "'")
                    : ApiFailure.invalid(
                            schema + ".path",
                            "/mnt/" + name + ": dataset underlying path has the readonly property enabled.");
        boolean mode = JsonTools.at(call.object(0), "mode").isPresent();
        if (call.method().endsWith("setperm") && mode && !strip && JsonTools.flag(perm, "acl", false))
            throw ApiFailure.invalid(
                    schema + ".mode",
                    "Non-trivial ACL present on [/mnt/" + name
                            + "]. Option \"stripacl\" required to change permission.");
    }

    private static Optional<Long> id(JsonObject data, String number, String name) {
        long given = JsonTools.number(data, number, -1);
        if (given >= 0) return Optional.of(given);
        String text = JsonTools.text(data, name);
        if (text.isEmpty()) return Optional.empty();
        Long id = IDS.get(text);
        if (id == null) throw ApiFailure.call(ErrorNumber.EINVAL, name + ": " + text + " does not exist");
        return Optional.of(id);
    }

    private JsonElement stat(Call call) {
        return store.read(tables -> {
            JsonObject row = at(tables, call.text(0));
            JsonObject perm = JsonTools.child(row, "perm");
            return JsonTools.object(
                    "realpath",
                    call.text(0),
                    "type",
                    "DIRECTORY",
                    "size",
                    2,
                    "allocation_size",
                    512,
                    "mode",
                    0x4000 | JsonTools.number(perm, "mode", 0),
                    "mount_id",
                    1,
                    "uid",
                    perm.get("uid"),
                    "gid",
                    perm.get("gid"),
                    "atime",
                    0.0,
                    "mtime",
                    0.0,
                    "ctime",
                    0.0,
                    "btime",
                    0.0,
                    "dev",
                    1,
                    "inode",
                    34,
                    "nlink",
                    2,
                    "acl",
                    perm.get("acl"),
                    "is_mountpoint",
                    true,
                    "is_ctldir",
                    false,
                    "attributes",
                    JsonTools.array(),
                    "user",
                    name(perm, "uid", "root"),
                    "group",
                    name(perm, "gid", "root"));
        });
    }

    private static JsonElement name(JsonObject perm, String member, String ofZero) {
        long id = JsonTools.number(perm, member, 0);
        if (id == 0) return JsonTools.of(ofZero);
        return IDS.entrySet().stream()
                .filter(each -> each.getValue() == id)
                .map(each -> JsonTools.of(each.getKey()))
                .findFirst()
                .orElse(JsonNull.INSTANCE);
    }

    private JsonElement statfs(Call call) {
        return store.read(tables -> {
            String name = JsonTools.text(at(tables, call.text(0)), "name");
            Space space = new Space(tables);
            long free = space.available(tables, name);
            long total = free + space.used(name);
            return JsonTools.object(
                    "flags",
                    JsonTools.array("RW"),
                    "fsid",
                    "1/0",
                    "fstype",
                    "zfs",
                    "source",
                    name,
                    "dest",
                    call.text(0),
                    "blocksize",
                    131072,
                    "total_bytes",
                    total,
                    "free_bytes",
                    free,
                    "avail_bytes",
                    free,
                    "total_blocks",
                    total / 131072,
                    "free_blocks",
                    free / 131072,
                    "avail_blocks",
                    free / 131072,
                    "files",
                    1 << 20,
                    "free_files",
                    1 << 20,
                    "name_max",
                    255);
        });
    }

    private JsonElement acl(Call call) {
        return store.read(tables -> {
            JsonObject perm = JsonTools.child(at(tables, call.text(0)), "perm");
            return JsonTools.object(
                    "path",
                    call.text(0),
                    "trivial",
                    !JsonTools.flag(perm, "acl", false),
                    "uid",
                    perm.get("uid"),
                    "gid",
                    perm.get("gid"),
                    "acltype",
                    "NFS4",
                    "acl",
                    JsonTools.list(perm, "dacl"));
        });
    }
}
