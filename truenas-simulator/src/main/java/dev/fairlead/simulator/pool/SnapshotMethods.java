package dev.fairlead.simulator.pool;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.Handler;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Roles;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.ErrorNumber;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.reading.SnapshotReading;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Answers the methods of zfs.snapshot and, since 25.10, of pool.snapshot. */
public final class SnapshotMethods {
    private final Store store;
    private final Zfs zfs;

    /** Makes them on a state. */
    public SnapshotMethods(Store store, Zfs zfs) {
        this.store = store;
        this.zfs = zfs;
    }

    /** Adds them under both names; the old one is private since 25.10, and the invented 27 has neither. */
    public void addTo(Methods methods) {
        addTo(methods, "zfs.snapshot", (box, api) -> api.before(Profile.V27));
        addTo(methods, "pool.snapshot", (box, api) -> api.since(Profile.V25_10_0) && api.before(Profile.V27));
    }

    private void addTo(Methods methods, String space, BiPredicate<Profile, Profile> offered) {
        methods.addQueries(space, "SNAPSHOT_READ", "PoolSnapshot", offered, this::rows);
        add(methods, space, offered, "create", this::create, "SNAPSHOT_WRITE", "data");
        add(methods, space, offered, "update", this::update, "SNAPSHOT_WRITE", "id", "data");
        add(methods, space, offered, "delete", this::delete, "SNAPSHOT_DELETE", "id", "options");
        add(methods, space, offered, "clone", this::copy, "SNAPSHOT_WRITE", "data");
        add(methods, space, offered, "rollback", this::rollback, "SNAPSHOT_WRITE", "id", "options");
        add(methods, space, offered, "hold", call -> hold(call, true), "SNAPSHOT_WRITE", "id", "options");
        add(methods, space, offered, "release", call -> hold(call, false), "SNAPSHOT_WRITE", "id", "options");
        add(methods, space, offered, "rename", this::rename, "SNAPSHOT_WRITE", "id", "options");
    }

    private static void add(
            Methods methods,
            String space,
            BiPredicate<Profile, Profile> offered,
            String name,
            Handler handler,
            String role,
            String... parameters) {
        methods.add(Method.of(space + "." + name, call -> {
                    boolean hidden = space.startsWith("zfs") && call.box().since(Profile.V25_10_0);
                    if (hidden && !call.caller().identity().roles().contains(Roles.FULL_ADMIN))
                        throw ApiFailure.forbidden();
                    return handler.answer(call);
                })
                .roles(role)
                .takes(parameters)
                .when(offered));
    }

    private List<JsonObject> rows(Call call) {
        JsonObject extra = JsonTools.child(call.object(1), "extra");
        SnapshotRows view = new SnapshotRows(zfs);
        return store.read(tables -> {
            SnapshotReading reading = SnapshotReading.of(tables, call);
            if (reading.broken()) return List.of();
            boolean limits = call.box() != Profile.CORE_13_0;
            return selected(tables, call).stream()
                    .filter(row -> !limits || SnapshotReading.isWithin(row, extra))
                    .map(row -> view.queried(tables, call.box(), row, extra, reading.bare()))
                    .toList();
        });
    }

    // A query for one id or one dataset looks no further.
    private List<JsonObject> selected(Tables tables, Call call) {
        for (JsonElement filter : call.list(0)) {
            if (!filter.isJsonArray() || filter.getAsJsonArray().size() != 3) continue;
            if (!filter.getAsJsonArray().get(1).getAsString().equals("=")) continue;
            String value = filter.getAsJsonArray().get(2).isJsonPrimitive()
                    ? filter.getAsJsonArray().get(2).getAsString()
                    : "";
            String field = filter.getAsJsonArray().get(0).getAsString();
            if (field.equals("id") || field.equals("name"))
                return tables.row(Zfs.SNAPSHOTS, value).stream().toList();
            if (field.equals("dataset")) return zfs.snapshots(tables, value);
        }
        return tables.rows(Zfs.SNAPSHOTS);
    }

    private JsonElement create(Call call) {
        JsonObject data = call.object(0);
        String dataset = JsonTools.text(data, "dataset");
        String name = JsonTools.text(data, "name", "auto-" + System.nanoTime());
        refuseExclusion(data);
        return store.change(tables -> {
            try {
                JsonObject user = textual(JsonTools.child(data, "properties"));
                List<String> excluded = JsonTools.list(data, "exclude").asList().stream()
                        .map(JsonElement::getAsString)
                        .toList();
                new GroupSnapshot(zfs, excluded)
                        .take(tables, dataset, name, user, JsonTools.flag(data, "recursive", false));
            } catch (ZfsError e) {
                throw creationFailure(call.box(), dataset, name, e);
            }
            JsonObject row = tables.row(Zfs.SNAPSHOTS, dataset + "@" + name).orElseThrow();
            return new SnapshotRows(zfs).shown(tables, call.box(), row, new JsonObject());
        });
    }

    private static JsonObject textual(JsonObject properties) {
        JsonObject user = new JsonObject();
        properties
                .entrySet()
                .forEach(each -> user.addProperty(each.getKey(), each.getValue().getAsString()));
        return user;
    }

    private static void refuseExclusion(JsonObject data) {
        if (JsonTools.list(data, "exclude").isEmpty()) return;
        if (!JsonTools.flag(data, "recursive", false))
            throw ApiFailure.invalid("snapshot_create.exclude", "This option has no sense for non-recursive snapshots");
        if (!JsonTools.child(data, "properties").isEmpty())
            throw ApiFailure.invalid(
                    "snapshot_create.properties", "This option is not supported when excluding datasets");
    }

    private static ApiFailure creationFailure(Profile box, String dataset, String name, ZfsError e) {
        if (box.before(Profile.V26_BETA))
            return ApiFailure.call(
                    e.number() == ErrorNumber.EEXIST ? ErrorNumber.EEXIST : ErrorNumber.EFAULT,
                    "Failed to snapshot " + dataset + "@" + name + ": " + e.text());
        return e.number() == ErrorNumber.EEXIST
                ? ApiFailure.single("pool.snapshot.create", name + " already exists.", ErrorNumber.EEXIST)
                : ApiFailure.single("pool.snapshot.create", "'" + dataset + "' not found", e.number());
    }

    private JsonElement update(Call call) {
        if (call.box().since(Profile.V26_BETA)) return JsonNull.INSTANCE;
        return store.change(tables -> {
            JsonObject row = find(tables, call);
            JsonObject user = JsonTools.child(row, "user").deepCopy();
            for (JsonElement each : JsonTools.list(call.object(1), "user_properties_update"))
                user.add(
                        JsonTools.text(each.getAsJsonObject(), "key"),
                        each.getAsJsonObject().get("value"));
            for (JsonElement key : JsonTools.list(call.object(1), "user_properties_remove"))
                user.remove(key.getAsString());
            JsonObject changed = JsonTools.with(row, "user", user);
            tables.put(Zfs.SNAPSHOTS, JsonTools.text(row, "name"), changed);
            return new SnapshotRows(zfs).shown(tables, call.box(), changed, new JsonObject());
        });
    }

    private static JsonObject find(Tables tables, Call call) {
        return tables.row(Zfs.SNAPSHOTS, call.text(0))
                .orElseThrow(() -> ApiFailure.absent(call.text(0) + " not found"));
    }

    private JsonElement delete(Call call) {
        boolean defer = JsonTools.flag(call.object(1), "defer", false);
        store.update(tables -> {
            JsonObject row = find(tables, call);
            String id = JsonTools.text(row, "name");
            if (JsonTools.flag(call.object(1), "recursive", false)) {
                for (JsonObject child : zfs.children(tables, JsonTools.text(row, "dataset"))) {
                    String same = JsonTools.text(child, "name") + "@" + JsonTools.text(row, "snapshot_name");
                    if (tables.row(Zfs.SNAPSHOTS, same).isPresent()) destroy(tables, call, same, defer);
                }
            }
            destroy(tables, call, id, defer);
        });
        return new JsonPrimitive(true);
    }

    private void destroy(Tables tables, Call call, String id, boolean defer) {
        List<String> clones = zfs.clones(tables, id);
        JsonObject row = tables.row(Zfs.SNAPSHOTS, id).orElseThrow();
        boolean held = !JsonTools.child(row, "holds").isEmpty();
        if (call.box().since(Profile.V26_BETA)) {
            if (held)
                throw busy("'" + id + "' has the following holds: "
                        + String.join(", ", row.getAsJsonObject("holds").keySet()));
            if (!clones.isEmpty() && !defer)
                throw busy("'" + id + "' has the following clones: " + String.join(", ", clones));
        } else if (!clones.isEmpty() && !defer)
            throw ApiFailure.invalid(List.of(new Violation(
                    Optional.of("options.defer"),
                    "Please set this attribute as '" + id + "' snapshot has dependent clones: "
                            + String.join(", ", clones),
                    ErrorNumber.EINVAL)));
        try {
            zfs.destroySnapshot(tables, id, defer);
        } catch (ZfsError e) {
            throw ApiFailure.call(e.number(), e.text());
        }
    }

    private static ApiFailure busy(String text) {
        return ApiFailure.single("pool.snapshot.delete", text, ErrorNumber.EBUSY);
    }

    private JsonElement copy(Call call) {
        JsonObject data = call.object(0);
        JsonObject given = JsonTools.child(data, "dataset_properties");
        String destination = JsonTools.text(data, "dataset_dst");
        store.update(tables -> {
            try {
                Cloning.clone(zfs, tables, call.box(), JsonTools.text(data, "snapshot"), destination, given);
            } catch (ZfsError e) {
                if (call.box().since(Profile.V26_BETA) && e.number() == ErrorNumber.EEXIST)
                    throw ApiFailure.unexpected("'" + destination + "' already exists");
                throw ApiFailure.call("Failed to clone snapshot: " + e.text());
            }
        });
        return new JsonPrimitive(true);
    }

    private JsonElement rollback(Call call) {
        boolean recursive = JsonTools.flag(call.object(1), "recursive", false);
        store.update(tables -> {
            JsonObject row = find(tables, call);
            try {
                zfs.rollback(tables, row, recursive);
            } catch (ZfsError e) {
                throw ApiFailure.call("Failed to rollback snapshot: " + e.text());
            }
        });
        return JsonNull.INSTANCE;
    }

    private JsonElement hold(Call call, boolean set) {
        store.update(tables -> zfs.hold(tables, find(tables, call), "truenas", set));
        return JsonNull.INSTANCE;
    }

    private JsonElement rename(Call call) {
        store.update(tables -> {
            JsonObject row = find(tables, call);
            String name = JsonTools.text(call.object(1), "new_name");
            if (!JsonTools.flag(call.object(1), "force", false))
                throw ApiFailure.invalid(
                        "options.force",
                        "No safety checks are performed when renaming ZFS resources; this may break existing usages. If you understand the risks, please set force and proceed.");
            String snapshot = name.substring(name.indexOf('@') + 1);
            zfs.move(tables, JsonTools.with(row, "snapshot_name", snapshot), JsonTools.text(row, "dataset"));
            tables.remove(Zfs.SNAPSHOTS, call.text(0));
        });
        return JsonNull.INSTANCE;
    }
}
