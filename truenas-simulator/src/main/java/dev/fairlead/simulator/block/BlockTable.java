package dev.fairlead.simulator.block;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.engine.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/** The five methods of one kind of rows, with what the kind has of its own. */
final class BlockTable {
    /** What a kind of rows has of its own. */
    interface Kind {
        /** Returns the attributes of a new row that nobody names. */
        JsonObject defaults(Tables tables, Call call);

        /** Adds what the middleware refuses of a row, and fills in what it gives itself. */
        void check(Tables tables, Call call, JsonObject row, List<Violation> violations);

        /** Shows a row. */
        default JsonObject shown(Tables tables, Call call, JsonObject row) {
            return row.deepCopy();
        }

        /** Refuses to delete a row, or removes what goes with it. */
        default void release(Tables tables, Call call, JsonObject row) {}
    }

    private final Store store;
    private final String namespace;
    private final String table;
    private final String singular;
    private final Kind kind;

    BlockTable(Store store, String namespace, String table, String singular, Kind kind) {
        this.store = store;
        this.namespace = namespace;
        this.table = table;
        this.singular = singular;
        this.kind = kind;
    }

    void addTo(Methods methods, String role, BiPredicate<Profile, Profile> offered, String... deletion) {
        methods.addQueries(namespace, role + "_READ", singular, offered, this::rows);
        methods.add(Method.of(namespace + ".create", this::create)
                .roles(role + "_WRITE")
                .takes("data")
                .when(offered));
        methods.add(Method.of(namespace + ".update", this::update)
                .roles(role + "_WRITE")
                .takes("id", "data")
                .when(offered));
        methods.add(Method.of(namespace + ".delete", this::delete)
                .roles(role + "_WRITE")
                .takes(deletion)
                .when(offered));
    }

    private List<JsonObject> rows(Call call) {
        return store.read(tables -> tables.rows(table).stream()
                .map(row -> kind.shown(tables, call, row))
                .toList());
    }

    private JsonElement create(Call call) {
        return store.change(tables -> {
            JsonObject row = JsonTools.merged(kind.defaults(tables, call), call.object(0));
            row.addProperty("id", tables.nextId(table));
            return checked(tables, call, row);
        });
    }

    private JsonElement update(Call call) {
        return store.change(tables -> {
            JsonObject old = find(tables, call);
            return checked(tables, call, JsonTools.merged(old, call.object(1)));
        });
    }

    private JsonObject checked(Tables tables, Call call, JsonObject row) {
        List<Violation> violations = new ArrayList<>();
        kind.check(tables, call, row, violations);
        if (!violations.isEmpty()) throw ApiFailure.invalid(violations);
        tables.put(table, row);
        return kind.shown(tables, call, row);
    }

    private JsonElement delete(Call call) {
        store.update(tables -> {
            JsonObject row = find(tables, call);
            kind.release(tables, call, row);
            tables.remove(table, JsonTools.number(row, "id", 0));
        });
        return new JsonPrimitive(true);
    }

    private JsonObject find(Tables tables, Call call) {
        return tables.row(table, call.number(0))
                .orElseThrow(() -> ApiFailure.absent(singular + " " + call.text(0) + " does not exist"));
    }

    /** Tells whether another row of a table has the same value. */
    static boolean taken(Tables tables, String table, JsonObject row, String member) {
        return tables.rows(table).stream()
                .filter(other -> !other.get("id").equals(row.get("id"))
                        && JsonTools.number(other, "id", 0) != JsonTools.number(row, "id", 0))
                .anyMatch(other -> JsonTools.at(other, member).equals(JsonTools.at(row, member)));
    }

    /** Finds the row that a member of another one names. */
    static JsonObject named(Tables tables, String table, JsonObject row, String member) {
        return tables.row(table, JsonTools.number(row, member, -1)).orElseGet(JsonObject::new);
    }
}
