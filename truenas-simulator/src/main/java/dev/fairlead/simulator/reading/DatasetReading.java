package dev.fairlead.simulator.reading;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Counts what a query of pool.dataset reads before it filters it. */
public final class DatasetReading {
    private static final String SNAPSHOTS = "snapshot";
    private static final String DATASETS = "dataset";

    private DatasetReading() {}

    /** Counts it with the call. */
    public static void count(Tables tables, Call call) {
        JsonObject extra = JsonTools.child(call.object(1), "extra");
        boolean snapshots = JsonTools.flag(extra, "snapshots", false);
        boolean counts = JsonTools.flag(extra, "snapshots_count", false);
        if (call.box().since(Profile.V25_10_0)) {
            // dataset_query_utils.py: whatever the filters, all datasets, and all their snapshots with handles
            call.read().addDatasets(tables.rows(DATASETS).size());
            long all = tables.rows(SNAPSHOTS).size();
            if (snapshots) call.read().addSnapshots(all);
            else if (counts) call.read().addNames(all);
            return;
        }
        List<String> names = names(tables, call);
        call.read().addDatasets(names.size());
        if (snapshots || counts || JsonTools.flag(extra, "snapshots_recursive", false))
            names.forEach(name ->
                    call.read().addNames(tables.rows(SNAPSHOTS, name + "@").size()));
    }

    // pool_/dataset.py up to 25.04: one filter for ids is looked up, by default with all that is below.
    private static List<String> names(Tables tables, Call call) {
        JsonArray filters = call.list(0);
        JsonArray first = filters.size() == 1 && filters.get(0).isJsonArray()
                ? filters.get(0).getAsJsonArray()
                : new JsonArray();
        if (first.size() != 3 || !isLookedUp(first, call.box()))
            return tables.rows(DATASETS).stream()
                    .map(row -> JsonTools.text(row, "name"))
                    .toList();
        JsonObject extra = JsonTools.child(call.object(1), "extra");
        boolean children = JsonTools.flag(extra, "retrieve_children", true);
        List<String> names = new ArrayList<>();
        for (JsonElement value : first.get(2).isJsonArray() ? first.get(2).getAsJsonArray() : List.of(first.get(2))) {
            String name = value.getAsString();
            if (tables.row(DATASETS, name).isEmpty()) continue;
            names.add(name);
            if (children) tables.rows(DATASETS, name + "/").forEach(child -> names.add(JsonTools.text(child, "name")));
        }
        return names;
    }

    private static boolean isLookedUp(JsonArray filter, Profile box) {
        String field = filter.get(0).getAsString();
        String operation = filter.get(1).getAsString();
        return box.since(Profile.V25_04)
                ? Set.of("id", "name").contains(field) && Set.of("=", "in").contains(operation)
                : field.equals("id") && operation.equals("=");
    }
}
