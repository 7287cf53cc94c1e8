package dev.fairlead.simulator.pool;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Attachments;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.ErrorNumber;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers the methods of zfs.resource: the query since 25.10, the destruction since 26. */
public final class ResourceMethods {
    private final Store store;
    private final Zfs zfs;
    private final Attachments attachments;

    /** Makes them on a state. */
    public ResourceMethods(Store store, Zfs zfs, Attachments attachments) {
        this.store = store;
        this.zfs = zfs;
        this.attachments = attachments;
    }

    /** Adds them. */
    public void addTo(Methods methods) {
        methods.add(Method.of("zfs.resource.query", this::query)
                .roles("ZFS_RESOURCE_READ")
                .takes("data")
                .since(Profile.V25_10_0));
        methods.add(Method.of("zfs.resource.destroy", this::destroy)
                .roles("ZFS_RESOURCE_DELETE")
                .takes("data")
                .since(Profile.V26_BETA));
    }

    private JsonElement query(Call call) {
        JsonObject query = call.object(0);
        return store.read(tables -> {
            List<String> names = names(tables, query);
            call.read().addDatasets(names.size());
            Space space = new Space(tables);
            Map<String, JsonObject> shown = new LinkedHashMap<>();
            names.forEach(name -> shown.put(
                    name,
                    ResourceView.shown(tables, space, zfs.dataset(tables, name).orElseThrow(), query)));
            JsonArray answer = new JsonArray();
            boolean nested = JsonTools.flag(query, "nest_results", false);
            if (!call.api().since(Profile.V25_10))
                shown.values().forEach(entry -> entry.add("children", new JsonArray()));
            shown.forEach((name, entry) -> {
                JsonObject above = shown.get(Zfs.parent(name));
                if (!nested || above == null) answer.add(entry);
                else {
                    if (above.get("children").isJsonNull()) above.add("children", new JsonArray());
                    above.getAsJsonArray("children").add(entry);
                }
            });
            return answer;
        });
    }

    // Without paths it is all pools' roots; with children, what is below, as deep as asked.
    private List<String> names(Tables tables, JsonObject query) {
        List<String> paths = new ArrayList<>();
        JsonTools.list(query, "paths").forEach(path -> paths.add(path.getAsString()));
        if (paths.isEmpty()) tables.rows("pool").forEach(pool -> paths.add(JsonTools.text(pool, "name")));
        long depth = JsonTools.number(query, "max_depth", 0);
        List<String> names = new ArrayList<>();
        for (String path : paths) {
            if (zfs.dataset(tables, path).isEmpty())
                throw ApiFailure.single("zfs.resource.query", "'" + path + "' not found", ErrorNumber.ENOENT);
            names.add(path);
            if (!JsonTools.flag(query, "get_children", false)) continue;
            for (JsonObject child : zfs.children(tables, path)) {
                String name = JsonTools.text(child, "name");
                if (depth == 0 || level(name) - level(path) <= depth) names.add(name);
            }
        }
        return names.stream().distinct().toList();
    }

    private static long level(String name) {
        return name.chars().filter(letter -> letter == '/').count();
    }

    private JsonElement destroy(Call call) {
        String path = JsonTools.text(call.object(0), "path");
        boolean recursive = JsonTools.flag(call.object(0), "recursive", false);
        return store.change(tables -> {
            if (zfs.dataset(tables, path).isEmpty()) throw refusal("'" + path + "' not found", ErrorNumber.ENOENT);
            if (!recursive && !zfs.children(tables, path).isEmpty())
                throw refusal("'" + path + "' has children. Set recursive=True to remove them.", ErrorNumber.ENOTEMPTY);
            if (!recursive && !zfs.snapshots(tables, path).isEmpty())
                throw refusal(
                        "'" + path + "' has snapshots. Set recursive=True to remove them.", ErrorNumber.ENOTEMPTY);
            attachments.release(tables, path);
            new Destruction(zfs).withClones(tables, path);
            return JsonNull.INSTANCE;
        });
    }

    private static ApiFailure refusal(String text, int number) {
        return ApiFailure.single("zfs.resource.destroy", text, number);
    }
}
