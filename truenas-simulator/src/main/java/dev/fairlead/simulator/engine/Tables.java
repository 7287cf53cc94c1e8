package dev.fairlead.simulator.engine;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** Holds the rows of all tables. Rows that it hands out are not to be changed: a change is a new row that is put. */
public final class Tables {
    private static final String SEQUENCES = "sequence";

    private final Map<String, TreeMap<String, JsonObject>> tables = new TreeMap<>();
    private final Map<String, JsonElement> before = new LinkedHashMap<>();
    private final AtomicLong revision = new AtomicLong();

    /** Finds a row. */
    public Optional<JsonObject> row(String table, String key) {
        return Optional.ofNullable(table(table).get(key));
    }

    /** Finds a row by its number. */
    public Optional<JsonObject> row(String table, long id) {
        return row(table, Long.toString(id));
    }

    /** Returns all rows of a table: numbered ones by number, others by name. */
    public List<JsonObject> rows(String table) {
        List<JsonObject> rows = new ArrayList<>(table(table).values());
        if (rows.stream().allMatch(row -> row.has("id") && JsonTools.isNumber(row.get("id"))))
            rows.sort(Comparator.comparingLong(row -> row.get("id").getAsLong()));
        return rows;
    }

    /** Returns the rows whose names begin with a prefix. */
    public List<JsonObject> rows(String table, String prefix) {
        return List.copyOf(
                table(table).subMap(prefix, prefix + Character.MAX_VALUE).values());
    }

    /** Puts a row. */
    public void put(String table, String key, JsonObject row) {
        set(table, key, row);
    }

    /** Puts a row under its number. */
    public void put(String table, JsonObject row) {
        put(table, Long.toString(row.get("id").getAsLong()), row);
    }

    /** Removes a row. */
    public void remove(String table, String key) {
        set(table, key, JsonNull.INSTANCE);
    }

    /** Removes a row by its number. */
    public void remove(String table, long id) {
        remove(table, Long.toString(id));
    }

    /** Returns a number that this table never had. */
    public long nextId(String table) {
        long next = row(SEQUENCES, table)
                        .map(row -> JsonTools.number(row, "last", 0))
                        .orElse(0L)
                + 1;
        put(SEQUENCES, table, JsonTools.object("last", next));
        return next;
    }

    /** Returns the whole as one object, tables by name and rows by key. */
    public JsonObject dump() {
        JsonObject dump = new JsonObject();
        tables.forEach((name, rows) -> {
            JsonObject table = new JsonObject();
            rows.forEach((key, row) -> table.add(key, row.deepCopy()));
            dump.add(name, table);
        });
        return dump;
    }

    /** Returns a number that grows with each change. */
    public long revision() {
        return revision.get();
    }

    void set(String table, String key, JsonElement row) {
        var _ = revision.incrementAndGet();
        NavigableMap<String, JsonObject> rows = table(table);
        JsonObject old = rows.get(key);
        before.putIfAbsent(table + "\n" + key, old == null ? JsonNull.INSTANCE : old);
        if (row.isJsonNull()) rows.remove(key);
        else rows.put(key, row.getAsJsonObject());
    }

    /** Returns what changed since the last call of "drain". */
    List<RowChange> pending() {
        List<RowChange> pending = new ArrayList<>();
        before.forEach((change, old) -> {
            String[] parts = change.split("\n", 2);
            Optional<JsonObject> former = old.isJsonNull() ? Optional.empty() : Optional.of(old.getAsJsonObject());
            Optional<JsonObject> now = Optional.ofNullable(table(parts[0]).get(parts[1]));
            if (!former.equals(now)) pending.add(new RowChange(parts[0], parts[1], former, now));
        });
        return pending;
    }

    /** Returns what changed since the last call, and forgets it. */
    JsonObject drain() {
        JsonObject changes = new JsonObject();
        before.keySet().forEach(change -> {
            String[] parts = change.split("\n", 2);
            JsonObject now = table(parts[0]).get(parts[1]);
            changes.add(change, now == null ? JsonNull.INSTANCE : now);
        });
        before.clear();
        return changes;
    }

    /** Takes back what changed since the last call. */
    void undo() {
        var _ = revision.incrementAndGet();
        before.forEach((change, old) -> {
            String[] parts = change.split("\n", 2);
            if (old.isJsonNull()) table(parts[0]).remove(parts[1]);
            else table(parts[0]).put(parts[1], old.getAsJsonObject());
        });
        before.clear();
    }

    void apply(JsonObject changes) {
        changes.entrySet().forEach(change -> {
            String[] parts = change.getKey().split("\n", 2);
            set(parts[0], parts[1], change.getValue());
        });
        before.clear();
    }

    private NavigableMap<String, JsonObject> table(String name) {
        return tables.computeIfAbsent(name, ignored -> new TreeMap<>());
    }
}
