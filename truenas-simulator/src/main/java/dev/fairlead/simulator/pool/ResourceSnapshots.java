package dev.fairlead.simulator.pool;

import com.google.gson.JsonArray;
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
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.ErrorNumber;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.List;

/** Answers the methods of zfs.resource.snapshot, since 26. */
public final class ResourceSnapshots {
    private static final String SPACE = "zfs.resource.snapshot";

    private final Store store;
    private final Zfs zfs;

    /** Makes them on a state. */
    public ResourceSnapshots(Store store, Zfs zfs) {
        this.store = store;
        this.zfs = zfs;
    }

    /** Adds them. */
    public void addTo(Methods methods) {
        add(methods, "query", "SNAPSHOT_READ", this::query);
        add(
                methods,
                "count",
                "SNAPSHOT_READ",
                call -> new JsonPrimitive(rows(call.object(0)).size()));
        add(methods, "create", "SNAPSHOT_WRITE", this::create);
        add(methods, "destroy", "SNAPSHOT_DELETE", this::destroy);
        add(methods, "clone", "SNAPSHOT_WRITE", this::copy);
        add(methods, "hold", "SNAPSHOT_WRITE", call -> hold(call, true));
        add(methods, "release", "SNAPSHOT_WRITE", call -> hold(call, false));
        add(methods, "holds", "SNAPSHOT_READ", call -> store.read(tables -> SnapshotRows.holds(find(tables, call))));
        add(methods, "rollback", "SNAPSHOT_WRITE", this::rollback);
        add(methods, "rename", "SNAPSHOT_WRITE", this::rename);
    }

    private static void add(Methods methods, String name, String role, Handler handler) {
        methods.add(
                Method.of(SPACE + "." + name, handler).roles(role).takes("data").since(Profile.V26_BETA));
    }

    private JsonElement query(Call call) {
        JsonArray shown = new JsonArray();
        SnapshotRows view = new SnapshotRows(zfs);
        store.read(tables -> {
            List<JsonObject> rows = rows(call.object(0));
            if (isBare(call.object(0))) call.read().addNames(rows.size());
            else call.read().addSnapshots(rows.size());
            rows.forEach(row -> shown.add(view.resource(tables, row, call.object(0))));
            return true;
        });
        return shown;
    }

    private static boolean isBare(JsonObject query) {
        return JsonTools.list(query, "properties").isEmpty()
                && !JsonTools.flag(query, "get_user_properties", false)
                && !JsonTools.flag(query, "get_holds", false);
    }

    // A path is a snapshot's, or a dataset's with all its snapshots.
    private List<JsonObject> rows(JsonObject query) {
        return store.read(tables -> {
            List<JsonObject> rows = new ArrayList<>();
            JsonArray paths = JsonTools.list(query, "paths");
            if (paths.isEmpty()) rows.addAll(tables.rows(Zfs.SNAPSHOTS));
            for (JsonElement each : paths) rows.addAll(at(tables, each.getAsString(), query));
            long least = JsonTools.number(query, "min_txg", 0);
            long most = JsonTools.number(query, "max_txg", 0);
            return rows.stream()
                    .filter(row -> JsonTools.number(row, "createtxg", 0) >= least)
                    .filter(row -> most == 0 || JsonTools.number(row, "createtxg", 0) <= most)
                    .toList();
        });
    }

    private List<JsonObject> at(Tables tables, String path, JsonObject query) {
        if (path.contains("@"))
            return List.of(tables.row(Zfs.SNAPSHOTS, path).orElseThrow(() -> absent("query", path)));
        if (zfs.dataset(tables, path).isEmpty()) throw absent("query", path);
        List<JsonObject> rows = new ArrayList<>(zfs.snapshots(tables, path));
        if (JsonTools.flag(query, "recursive", false))
            zfs.children(tables, path)
                    .forEach(child -> rows.addAll(zfs.snapshots(tables, JsonTools.text(child, "name"))));
        return rows;
    }

    private static ApiFailure absent(String method, String path) {
        return ApiFailure.single(SPACE + "." + method, "'" + path + "' not found", ErrorNumber.ENOENT);
    }

    private static JsonObject find(Tables tables, Call call) {
        String path = JsonTools.text(call.object(0), "path");
        return tables.row(Zfs.SNAPSHOTS, path)
                .orElseThrow(() -> absent(call.method().substring(SPACE.length() + 1), path));
    }

    // The box reads the parent's snapshot back, and fails after the effect where that was excluded.
    private JsonElement create(Call call) {
        JsonObject data = call.object(0);
        String dataset = JsonTools.text(data, "dataset");
        String name = JsonTools.text(data, "name");
        store.update(tables -> {
            List<String> excluded = JsonTools.list(data, "exclude").asList().stream()
                    .map(JsonElement::getAsString)
                    .toList();
            try {
                new GroupSnapshot(zfs, excluded)
                        .take(
                                tables,
                                dataset,
                                name,
                                JsonTools.child(data, "user_properties"),
                                JsonTools.flag(data, "recursive", false));
            } catch (ZfsError e) {
                throw e.number() == ErrorNumber.EEXIST
                        ? ApiFailure.single(SPACE + ".create", name + " already exists.", ErrorNumber.EEXIST)
                        : absent("create", dataset);
            }
        });
        return store.read(tables -> {
            JsonObject row = tables.row(Zfs.SNAPSHOTS, dataset + "@" + name)
                    .orElseThrow(() -> ApiFailure.unexpected("'" + dataset + "@" + name + "' not found"));
            return new SnapshotRows(zfs).resource(tables, row, JsonTools.object("get_user_properties", true));
        });
    }

    private JsonElement destroy(Call call) {
        JsonObject data = call.object(0);
        String path = JsonTools.text(data, "path");
        boolean defer = JsonTools.flag(data, "defer", false);
        store.update(tables -> {
            List<String> doomed = new ArrayList<>();
            if (JsonTools.flag(data, "all_snapshots", false))
                at(tables, path, data).forEach(row -> doomed.add(JsonTools.text(row, "name")));
            else {
                doomed.add(JsonTools.text(find(tables, call), "name"));
                if (JsonTools.flag(data, "recursive", false)) below(tables, path, doomed);
            }
            doomed.forEach(id -> destroy(tables, id, defer));
        });
        return JsonNull.INSTANCE;
    }

    private void below(Tables tables, String path, List<String> doomed) {
        int at = path.indexOf('@');
        zfs.children(tables, path.substring(0, at)).forEach(child -> {
            String same = JsonTools.text(child, "name") + path.substring(at);
            if (tables.row(Zfs.SNAPSHOTS, same).isPresent()) doomed.add(same);
        });
    }

    private void destroy(Tables tables, String id, boolean defer) {
        JsonObject row = tables.row(Zfs.SNAPSHOTS, id).orElseThrow();
        List<String> clones = zfs.clones(tables, id);
        String holds = String.join(", ", JsonTools.child(row, "holds").keySet());
        if (!holds.isEmpty()) throw busy("'" + id + "' has the following holds: " + holds);
        if (!clones.isEmpty() && !defer)
            throw busy("'" + id + "' has the following clones: " + String.join(", ", clones));
        zfs.destroySnapshot(tables, id, defer);
    }

    private static ApiFailure busy(String text) {
        return ApiFailure.single(SPACE + ".destroy", text, ErrorNumber.EBUSY);
    }

    private JsonElement copy(Call call) {
        JsonObject data = call.object(0);
        String name = JsonTools.text(data, "dataset");
        store.update(tables -> {
            try {
                Cloning.clone(
                        zfs,
                        tables,
                        call.box(),
                        JsonTools.text(data, "snapshot"),
                        name,
                        JsonTools.child(data, "properties"));
            } catch (ZfsError e) {
                if (e.number() == ErrorNumber.EEXIST) throw ApiFailure.unexpected("'" + name + "' already exists");
                throw ApiFailure.single(SPACE + ".clone", e.text(), e.number());
            }
        });
        return JsonNull.INSTANCE;
    }

    private JsonElement hold(Call call, boolean set) {
        String tag = JsonTools.text(call.object(0), "tag", "truenas");
        store.update(tables -> zfs.hold(tables, find(tables, call), tag, set));
        return JsonNull.INSTANCE;
    }

    private JsonElement rollback(Call call) {
        store.update(tables -> {
            try {
                zfs.rollback(tables, find(tables, call), JsonTools.flag(call.object(0), "recursive", false));
            } catch (ZfsError e) {
                throw ApiFailure.call(e.number(), e.text());
            }
        });
        return JsonNull.INSTANCE;
    }

    private JsonElement rename(Call call) {
        String current = JsonTools.text(call.object(0), "current_name");
        String now = JsonTools.text(call.object(0), "new_name");
        store.update(tables -> {
            JsonObject row = tables.row(Zfs.SNAPSHOTS, current).orElseThrow(() -> absent("rename", current));
            zfs.move(
                    tables,
                    JsonTools.with(row, "snapshot_name", now.substring(now.indexOf('@') + 1)),
                    JsonTools.text(row, "dataset"));
        });
        return JsonNull.INSTANCE;
    }
}
