package dev.fairlead.simulator.pool;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.encryption.LockedDatasets;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Attachments;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.ErrorNumber;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.reading.DatasetReading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers the methods of pool.dataset. */
public final class DatasetMethods {
    private final Store store;
    private final Zfs zfs;
    private final Attachments attachments;
    private final DatasetView view;

    /** Makes them on a state. */
    public DatasetMethods(Store store, Zfs zfs, Attachments attachments) {
        this.store = store;
        this.zfs = zfs;
        this.attachments = attachments;
        this.view = new DatasetView(zfs);
    }

    /** Adds them. */
    public void addTo(Methods methods) {
        methods.addQueries("pool.dataset", "DATASET_READ", "PoolDataset", (box, api) -> true, this::rows);
        methods.add(Method.of("pool.dataset.create", this::create)
                .roles("DATASET_WRITE")
                .takes("data"));
        methods.add(Method.of("pool.dataset.update", this::update)
                .roles("DATASET_WRITE")
                .takes("id", "data"));
        methods.add(Method.of("pool.dataset.delete", this::delete)
                .roles("DATASET_DELETE")
                .takes("id", "options")
                .when((box, api) -> api.before(Profile.V27)));
        methods.add(Method.of("pool.dataset.destroy", this::delete)
                .roles("DATASET_DELETE")
                .takes("id", "options")
                .since(Profile.V27));
        methods.add(Method.of("pool.dataset.destroy_snapshots", this::purge)
                .roles("SNAPSHOT_WRITE")
                .takes("name", "snapshots")
                .until(Profile.V26_BETA)
                .asJob(call -> "destroy_snapshots_" + call.text(0)));
        methods.add(Method.of("pool.dataset.promote", this::promote)
                .roles("DATASET_WRITE")
                .takes("id"));
        new DatasetRename(store, zfs).addTo(methods);
    }

    private List<JsonObject> rows(Call call) {
        JsonObject extra = JsonTools.child(call.object(1), "extra");
        boolean lifts = lifts(call);
        return store.read(tables -> {
            DatasetReading.count(tables, call);
            Space space = new Space(tables);
            Optional<String> one = one(call);
            List<JsonObject> rows = one.isPresent()
                    ? tables.row(Zfs.DATASETS, one.get()).stream().toList()
                    : tables.rows(Zfs.DATASETS);
            List<JsonObject> shown = new ArrayList<>();
            rows.forEach(row -> shown.add(view.shown(tables, space, row, extra, lifts)));
            if (!JsonTools.flag(extra, "flat", true)
                    || one.isPresent()
                    || !call.method().endsWith(".query")) nest(tables, space, shown, extra, lifts);
            return JsonTools.flag(extra, "flat", true) ? shown : roots(shown);
        });
    }

    // A query for one name asks for that alone.
    private static Optional<String> one(Call call) {
        for (JsonElement filter : call.list(0)) {
            if (!filter.isJsonArray() || filter.getAsJsonArray().size() != 3) continue;
            String field = filter.getAsJsonArray().get(0).getAsString();
            boolean names = field.equals("id") || field.equals("name");
            if (names && filter.getAsJsonArray().get(1).getAsString().equals("="))
                return Optional.of(filter.getAsJsonArray().get(2).getAsString());
        }
        return Optional.empty();
    }

    private void nest(Tables tables, Space space, List<JsonObject> shown, JsonObject extra, boolean lifts) {
        if (!JsonTools.flag(extra, "retrieve_children", true)) return;
        for (JsonObject entry : shown) {
            String name = JsonTools.text(entry, "name");
            List<JsonObject> children = new ArrayList<>();
            for (JsonObject row : zfs.children(tables, name))
                if (Zfs.parent(JsonTools.text(row, "name")).equals(name))
                    children.add(view.shown(tables, space, row, extra, lifts));
            nest(tables, space, children, extra, lifts);
            children.forEach(entry.getAsJsonArray("children")::add);
        }
    }

    private static List<JsonObject> roots(List<JsonObject> shown) {
        return shown.stream()
                .filter(entry -> !JsonTools.text(entry, "name").contains("/"))
                .toList();
    }

    private static boolean lifts(Call call) {
        return !call.box().since(Profile.V25_10_0);
    }

    private JsonElement shown(Call call, Tables tables, String name) {
        boolean lifts = lifts(call);
        Space space = new Space(tables);
        JsonObject entry = view.shown(tables, space, zfs.dataset(tables, name).orElseThrow(), new JsonObject(), lifts);
        nest(tables, space, List.of(entry), new JsonObject(), lifts);
        return entry;
    }

    private JsonElement create(Call call) {
        JsonObject data = call.object(0);
        String name = JsonTools.text(data, "name");
        boolean volume = JsonTools.text(data, "type", "FILESYSTEM").equals("VOLUME");
        boolean ancestors = JsonTools.flag(data, "create_ancestors", false);
        JsonElement made = store.change(tables -> {
            List<Violation> violations = DatasetRules.ofCreation(tables, call.box(), data);
            if (!violations.isEmpty()) throw ApiFailure.invalid(violations);
            try {
                if (ancestors) ancestors(tables, Zfs.parent(name));
                zfs.create(
                        tables,
                        name,
                        volume ? "VOLUME" : "FILESYSTEM",
                        properties(data, volume),
                        user(call.box(), data));
            } catch (ZfsError e) {
                throw ApiFailure.call(
                        call.box().since(Profile.V26_BETA)
                                ? "Failed to create dataset " + name + ": " + e.text()
                                : "Failed to create dataset: " + e.text());
            }
            if (JsonTools.text(data, "share_type").equals("SMB")) {
                call.steps().end();
                aclOf(tables, name);
            }
            return shown(call, tables, name);
        });
        if (volume && ancestors && call.box().since(Profile.V26_BETA))
            throw ApiFailure.call("Failed to mount dataset: cannot open '" + name
                    + "': operation not applicable to datasets of this type");
        return made;
    }

    private void ancestors(Tables tables, String name) {
        if (name.isEmpty() || zfs.dataset(tables, name).isPresent()) return;
        ancestors(tables, Zfs.parent(name));
        zfs.create(tables, name, "FILESYSTEM", new JsonObject(), new JsonObject());
    }

    // A share for Windows has an access list of its own from the start.
    private void aclOf(Tables tables, String name) {
        JsonObject row = zfs.dataset(tables, name).orElseThrow();
        tables.put(
                Zfs.DATASETS,
                name,
                JsonTools.with(row, "perm", JsonTools.with(row.getAsJsonObject("perm"), "acl", true)));
    }

    private static JsonObject properties(JsonObject data, boolean volume) {
        JsonObject props = new JsonObject();
        for (ZfsProperty property : ZfsProperty.ALL)
            if (data.has(property.api()))
                property.raw(data.get(property.api())).ifPresent(raw -> props.addProperty(property.zfs(), raw));
        if (JsonTools.text(data, "share_type").equals("SMB")) {
            props.addProperty("casesensitivity", "insensitive");
            props.addProperty("acltype", "nfsv4");
            props.addProperty("aclmode", "restricted");
        }
        if (!volume) return props;
        if (!props.has("volblocksize")) props.addProperty("volblocksize", "16384");
        if (!JsonTools.flag(data, "sparse", false) && !data.has("refreservation"))
            props.addProperty("refreservation", JsonTools.text(data, "volsize"));
        return props;
    }

    private static JsonObject user(Profile box, JsonObject data) {
        JsonObject user = new JsonObject();
        if (box != Profile.V26_BETA)
            JsonTools.list(data, "user_properties").forEach(each -> {
                JsonObject pair = each.getAsJsonObject();
                user.add(JsonTools.text(pair, "key"), pair.get("value"));
            });
        keptAsUserProperties(data, user);
        return user;
    }

    private static void keptAsUserProperties(JsonObject data, JsonObject user) {
        for (Map.Entry<String, String> kept : ZfsProperty.KEPT_AS_USER_PROPERTIES.entrySet()) {
            if (!data.has(kept.getKey())) continue;
            JsonElement value = data.get(kept.getKey());
            if (value.equals(new JsonPrimitive("INHERIT"))) user.remove(kept.getValue());
            else user.addProperty(kept.getValue(), value.isJsonNull() ? "" : value.getAsString());
        }
    }

    private JsonElement update(Call call) {
        String name = call.text(0);
        JsonObject all = call.object(1);
        JsonElement after = store.change(tables -> {
            JsonObject row = zfs.dataset(tables, name)
                    .orElseThrow(() -> ApiFailure.invalid(
                            List.of(new Violation(Optional.of("id"), name + " does not exist", ErrorNumber.ENOENT))));
            List<Violation> violations = DatasetUpdate.violations(tables, call.box(), row, all);
            if (!violations.isEmpty()) throw ApiFailure.invalid(violations);
            if (all.has("volsize") && LockedDatasets.holds(tables, name))
                throw ApiFailure.call(
                        "Failed to update properties: cannot set property for '" + name + "': permission denied");
            boolean half = DatasetUpdate.reservesTooMuch(tables, row, all);
            JsonObject data = half ? DatasetUpdate.withoutReservation(all) : all;
            JsonObject props = DatasetUpdate.properties(row, data);
            JsonObject user = DatasetUpdate.user(row, data);
            keptAsUserProperties(data, user);
            tables.put(Zfs.DATASETS, name, JsonTools.merged(row, JsonTools.object("props", props, "user", user)));
            return half ? JsonNull.INSTANCE : shown(call, tables, name);
        });
        if (after.isJsonNull())
            throw ApiFailure.call("Failed to update dataset: cannot set property for '" + name
                    + "': size is greater than available space");
        return after;
    }

    private JsonElement delete(Call call) {
        String name = call.text(0);
        boolean recursive = JsonTools.flag(call.object(1), "recursive", false);
        if (store.read(tables -> zfs.dataset(tables, name).isEmpty()))
            throw ApiFailure.absent("PoolDataset " + name + " does not exist");
        return call.box().since(Profile.V26_BETA)
                ? deleteOf26(call, name, recursive)
                : deleteByCommand(name, recursive);
    }

    /** Unshares first: what ZFS refuses afterwards has lost its shares already. */
    private JsonElement deleteByCommand(String name, boolean recursive) {
        if (!recursive && store.read(tables -> !zfs.children(tables, name).isEmpty()))
            throw ApiFailure.call(
                    ErrorNumber.ENOTEMPTY,
                    "Failed to delete dataset: cannot destroy '" + name + "': filesystem has children");
        store.update(tables -> attachments.release(tables, name));
        return store.change(tables -> {
            try {
                zfs.destroy(tables, name, recursive);
                return new JsonPrimitive(true);
            } catch (ZfsError e) {
                throw ApiFailure.call(
                        e.number() == ErrorNumber.EBUSY && e.text().endsWith("busy")
                                ? ErrorNumber.EBUSY
                                : e.number() == ErrorNumber.ENOTEMPTY ? ErrorNumber.ENOTEMPTY : ErrorNumber.EFAULT,
                        "Failed to delete dataset: " + e.text());
            }
        });
    }

    private JsonElement deleteOf26(Call call, String name, boolean recursive) {
        if (!recursive && store.read(tables -> !zfs.children(tables, name).isEmpty()))
            throw ApiFailure.call(
                    ErrorNumber.ENOTEMPTY,
                    "Failed to delete dataset: cannot destroy '" + name + "': filesystem has children");
        boolean shared = store.change(tables -> attachments.release(tables, name));
        if (shared) {
            call.steps().end();
            call.steps().endLoaded();
        }
        return store.change(tables -> {
            if (!recursive && !zfs.snapshots(tables, name).isEmpty())
                throw ApiFailure.single(
                        "zfs.resource.destroy",
                        "'" + name + "' has snapshots. Set recursive=True to remove them.",
                        ErrorNumber.ENOTEMPTY);
            new Destruction(zfs).withClones(tables, name);
            return new JsonPrimitive(true);
        });
    }

    /** Destroys all snapshots of a dataset, or none. */
    private JsonElement purge(Call call) {
        String name = call.text(0);
        JsonArray names = new JsonArray();
        store.update(tables -> {
            for (JsonObject snapshot : zfs.snapshots(tables, name)) {
                try {
                    zfs.destroySnapshot(tables, JsonTools.text(snapshot, "name"), false);
                    names.add(snapshot.get("snapshot_name"));
                } catch (ZfsError e) {
                    throw ApiFailure.call(e.text());
                }
            }
        });
        return names;
    }

    private JsonElement promote(Call call) {
        store.update(tables -> {
            try {
                zfs.promote(tables, call.text(0));
            } catch (ZfsError e) {
                throw ApiFailure.call("Failed to promote dataset: " + e.text());
            }
        });
        return JsonNull.INSTANCE;
    }
}
