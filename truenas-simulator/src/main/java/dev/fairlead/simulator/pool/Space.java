package dev.fairlead.simulator.pool;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Measures what is used and what is left, as of one moment. A clone uses only what was written since; a snapshot uses
 * nothing of its own.
 */
public final class Space {
    private final Map<String, JsonObject> rows = new HashMap<>();
    private final Map<String, Long> used = new HashMap<>();
    private final Map<String, Long> sizes = new HashMap<>();

    /** Measures it. */
    public Space(Tables tables) {
        tables.rows("pool").forEach(pool -> sizes.put(JsonTools.text(pool, "name"), JsonTools.number(pool, "size", 0)));
        tables.rows(Zfs.DATASETS).forEach(row -> rows.put(JsonTools.text(row, "name"), row));
        rows.forEach((name, row) -> {
            long own = own(tables, row) + reserved(tables, row);
            for (String at = name; !at.isEmpty(); at = Zfs.parent(at)) used.merge(at, own, Long::sum);
        });
    }

    static long own(Tables tables, JsonObject row) {
        long data = JsonTools.number(row, "data", 0);
        long shared = tables.row(Zfs.SNAPSHOTS, JsonTools.text(row, "origin"))
                .map(origin -> JsonTools.number(origin, "data", 0))
                .orElse(0L);
        return Math.max(0, data - shared);
    }

    static long reserved(Tables tables, JsonObject row) {
        return Math.max(0, limit(row, "refreservation") - own(tables, row));
    }

    static long limit(JsonObject row, String property) {
        return Long.parseLong(JsonTools.text(JsonTools.child(row, "props"), property, "0"));
    }

    /** Returns what a dataset uses with all below it. */
    public long used(String name) {
        return used.getOrDefault(name, 0L);
    }

    long free(String pool) {
        return Math.max(0, sizes.getOrDefault(pool, 0L) - used(pool));
    }

    /** Returns what a dataset could still take: of its pool, of each quota above it, and of its own. */
    public long available(Tables tables, String name) {
        long left = free(Zfs.pool(name));
        for (String at = name; !at.isEmpty(); at = Zfs.parent(at)) {
            Optional<JsonObject> row = Optional.ofNullable(rows.get(at));
            long quota = row.map(found -> limit(found, "quota")).orElse(0L);
            if (quota > 0) left = Math.min(left, Math.max(0, quota - used(at)));
        }
        JsonObject row = rows.getOrDefault(name, new JsonObject());
        left += reserved(tables, row);
        long refquota = limit(row, "refquota");
        return refquota > 0 ? Math.min(left, Math.max(0, refquota - JsonTools.number(row, "data", 0))) : left;
    }
}
