package dev.fairlead.simulator.reading;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * Says which snapshots a query of zfs.snapshot or pool.snapshot reads before it filters them, and whether their names
 * alone.
 *
 * @param count how many of them there are
 * @param passed how many more the box opens to see that their transactions are others
 * @param bare whether they are read without their properties
 * @param broken whether the query asks for one by name that is not there, and so finds nothing at all
 */
public record SnapshotReading(long count, long passed, boolean bare, boolean broken) {
    private static final String SNAPSHOTS = "snapshot";
    private static final String DATASETS = "dataset";

    /** Names what ZFS tells with the name of a snapshot. */
    private static final Set<String> LISTED = Set.of("name", "createtxg");

    private static final Set<String> NAMES = Set.of("id", "name");

    /** Finds it out, and counts it with the call. */
    public static SnapshotReading of(Tables tables, Call call) {
        refuseGreat(call);
        SnapshotReading reading = call.box().since(Profile.V26_BETA) ? ofPaths(tables, call) : serialized(tables, call);
        if (reading.bare()) call.read().addNames(reading.count());
        else call.read().addSnapshots(reading.count());
        call.read().addNames(reading.passed());
        return reading;
    }

    // libzfs.pyx up to 25.10: "int min_txg, int max_txg"
    private static void refuseGreat(Call call) {
        if (call.box() == Profile.CORE_13_0 || call.box().since(Profile.V26_BETA)) return;
        for (String limit : List.of("min_txg", "max_txg"))
            if (JsonTools.number(extra(call), limit, 0) > Integer.MAX_VALUE)
                throw ApiFailure.unexpected("value too large to convert to int");
    }

    private static JsonObject extra(Call call) {
        return JsonTools.child(call.object(1), "extra");
    }

    // zfs_/snapshot.py up to 25.10 (plugins/zfs.py of CORE): one filter for one name is looked up, and names alone of
    // one dataset; all else is all snapshots of all pools.
    private static SnapshotReading serialized(Tables tables, Call call) {
        List<JsonArray> filters = filters(call);
        boolean single = filters.size() == 1 && isEqual(filters.getFirst(), NAMES);
        if (single
                && (call.box() != Profile.CORE_13_0 || field(filters.getFirst()).equals("id")))
            return walked(call, tables.row(SNAPSHOTS, value(filters.getFirst())).isPresent() ? 1 : 0, 0);
        List<JsonObject> all = tables.rows(SNAPSHOTS).stream()
                .filter(row -> call.box() == Profile.CORE_13_0 || isWithin(row, extra(call)))
                .toList();
        long passed = tables.rows(SNAPSHOTS).size() - (long) all.size();
        if (!isFast(call) || call.box() == Profile.CORE_13_0) return walked(call, all.size(), passed);
        if (filters.isEmpty() && JsonTools.flag(call.object(1), "count", false))
            return walked(call, 0, 0); // ZFS keeps that number
        for (JsonArray filter : filters) {
            if (isEqual(filter, Set.of("dataset")))
                return walked(call, tables.rows(SNAPSHOTS, value(filter) + "@").size(), 0);
            if (isEqual(filter, Set.of("pool")))
                return walked(
                        call,
                        all.stream()
                                .filter(row -> pool(row).equals(value(filter)))
                                .count(),
                        0);
        }
        return walked(call, all.size(), passed);
    }

    private static SnapshotReading walked(Call call, long count, long passed) {
        return new SnapshotReading(count, passed, isBare(call), false);
    }

    /** Says whether a snapshot is of the transactions that a query is limited to; libzfs passes over the others. */
    public static boolean isWithin(JsonObject row, JsonObject extra) {
        long transaction = JsonTools.number(row, "createtxg", 0);
        long most = JsonTools.number(extra, "max_txg", 0);
        return transaction >= JsonTools.number(extra, "min_txg", 0) && (most == 0 || transaction <= most);
    }

    private static boolean isBare(Call call) {
        if (isFast(call)) return true;
        List<String> wanted = wanted(call);
        return call.box() != Profile.CORE_13_0 && !wanted.isEmpty() && LISTED.containsAll(wanted);
    }

    /** Says whether names alone are asked for, which the box then reads by a way of its own. */
    private static boolean isFast(Call call) {
        JsonArray select = JsonTools.list(call.object(1), "select");
        boolean names = select.size() == 1 && select.get(0).equals(JsonTools.of("name"));
        Set<String> fields = new HashSet<>();
        filters(call).forEach(filter -> fields.add(field(filter)));
        Set<String> known =
                call.box() == Profile.CORE_13_0 ? Set.of("name", "pool") : Set.of("name", "pool", "dataset");
        return (names || JsonTools.flag(call.object(1), "count", false)) && known.containsAll(fields);
    }

    // pool_/snapshot.py of 26: paths by names, datasets and pools; all else is a walk through all pools.
    private static SnapshotReading ofPaths(Tables tables, Call call) {
        List<String> paths = new ArrayList<>();
        boolean recursive = false;
        for (JsonArray filter : filters(call)) {
            if (!Set.of("id", "name", "pool", "dataset").contains(field(filter))) continue;
            if (filter.get(1).getAsString().equals("=")) paths.add(value(filter));
            else if (filter.get(1).getAsString().equals("in"))
                filter.get(2).getAsJsonArray().forEach(each -> paths.add(each.getAsString()));
            else continue;
            recursive |= field(filter).equals("pool");
        }
        JsonObject extra = extra(call);
        boolean bare = LISTED.containsAll(wanted(call))
                && !JsonTools.flag(extra, "holds", false)
                && !JsonTools.flag(extra, "retention", false);
        if (paths.isEmpty()) return new SnapshotReading(tables.rows(SNAPSHOTS).size(), 0, bare, false);
        long count = 0;
        for (String path : paths) {
            boolean snapshot = path.contains("@");
            boolean there = tables.row(snapshot ? SNAPSHOTS : DATASETS, path).isPresent();
            if (!there) return new SnapshotReading(count, 0, bare, true);
            count += snapshot ? 1 : tables.rows(SNAPSHOTS, path + "@").size();
            if (recursive && !snapshot)
                for (JsonObject child : tables.rows(DATASETS, path + "/"))
                    count += tables.rows(SNAPSHOTS, JsonTools.text(child, "name") + "@")
                            .size();
        }
        return new SnapshotReading(count, 0, bare, false);
    }

    private static List<String> wanted(Call call) {
        return StreamSupport.stream(JsonTools.list(extra(call), "properties").spliterator(), false)
                .map(JsonElement::getAsString)
                .toList();
    }

    private static List<JsonArray> filters(Call call) {
        return StreamSupport.stream(call.list(0).spliterator(), false)
                .filter(JsonElement::isJsonArray)
                .map(JsonElement::getAsJsonArray)
                .filter(filter -> filter.size() == 3)
                .toList();
    }

    private static boolean isEqual(JsonArray filter, Set<String> fields) {
        return fields.contains(field(filter)) && filter.get(1).getAsString().equals("=");
    }

    private static String field(JsonArray filter) {
        return filter.get(0).getAsString();
    }

    private static String value(JsonArray filter) {
        return filter.get(2).isJsonPrimitive() ? filter.get(2).getAsString() : "";
    }

    private static String pool(JsonObject snapshot) {
        return JsonTools.text(snapshot, "name").replaceFirst("[/@].*", "");
    }
}
