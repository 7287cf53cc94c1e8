package dev.fairlead.simulator.engine;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Answers the methods of a kind of numbered rows: query, get_instance, create, update and delete. */
public abstract class RowMethods {
    private final Store store;
    private final String namespace;
    private final String table;
    private final String singular;
    private final String role;

    /** Makes them for a table, with the vendor's name of one row and the role's name without its ending. */
    protected RowMethods(Store store, String namespace, String table, String singular, String role) {
        this.store = store;
        this.namespace = namespace;
        this.table = table;
        this.singular = singular;
        this.role = role;
    }

    /** Adds them where they are offered; the argument's name is what the models call the payload. */
    protected void add(Methods methods, BiPredicate<Profile, Profile> offered, String payload, String... ofDelete) {
        boolean data = payload.equals("data");
        methods.addQueries(namespace, role + "_READ", singular, offered, this::rows);
        methods.add(Method.of(namespace + ".create", this::create)
                .roles(role + "_WRITE")
                .takes(data ? payload : payload + "_create")
                .when(offered));
        methods.add(Method.of(namespace + ".update", this::update)
                .roles(role + "_WRITE")
                .takes("id", data ? payload : payload + "_update")
                .when(offered));
        List<String> parameters = new ArrayList<>(List.of("id"));
        parameters.addAll(List.of(ofDelete));
        methods.add(Method.of(namespace + ".delete", this::delete)
                .roles(role + "_WRITE")
                .takes(parameters.toArray(String[]::new))
                .when(offered));
    }

    /** Returns the state. */
    protected Store store() {
        return store;
    }

    /** Returns what a new row has besides what the payload names. */
    protected abstract JsonObject defaults(Tables tables, Call call);

    /** Lists what is refused of a row. */
    protected abstract List<Violation> refused(Tables tables, Call call, JsonObject row, Optional<JsonObject> before);

    /** Turns a payload into what is kept. */
    protected JsonObject kept(Call call, JsonObject payload) {
        return payload;
    }

    /** Completes a row before it is stored, and does what goes along with it. */
    protected JsonObject stored(Tables tables, JsonObject row) {
        return row;
    }

    /** Writes a row, in as many steps as the box does. */
    protected void put(Tables tables, Call call, JsonObject row, Optional<JsonObject> before) {
        tables.put(table, row);
    }

    /** Shows a row as a release does. */
    protected JsonObject shown(Tables tables, Call call, JsonObject row) {
        return row;
    }

    /** Removes what hangs on a row that is deleted, or refuses. */
    protected void removing(Tables tables, Call call, JsonObject row) {}

    private List<JsonObject> rows(Call call) {
        return store.read(tables ->
                tables.rows(table).stream().map(row -> shown(tables, call, row)).toList());
    }

    private JsonElement create(Call call) {
        return store.change(tables -> {
            JsonObject row = JsonTools.merged(defaults(tables, call), kept(call, call.object(0)));
            row.addProperty("id", tables.nextId(table));
            refuse(refused(tables, call, row, Optional.empty()));
            JsonObject stored = stored(tables, row);
            put(tables, call, stored, Optional.empty());
            call.steps().end(); // the service is to load it next
            return shown(tables, call, stored);
        });
    }

    private JsonElement update(Call call) {
        return store.change(tables -> {
            JsonObject before = find(tables, call);
            JsonObject row = JsonTools.merged(before, kept(call, call.object(1)));
            refuse(refused(tables, call, row, Optional.of(before)));
            JsonObject stored = stored(tables, row);
            put(tables, call, stored, Optional.of(before));
            call.steps().end();
            return shown(tables, call, stored);
        });
    }

    private JsonElement delete(Call call) {
        store.update(tables -> {
            JsonObject row = find(tables, call);
            removing(tables, call, row);
            tables.remove(table, row.get("id").getAsLong());
            call.steps().end();
        });
        return new JsonPrimitive(true);
    }

    private JsonObject find(Tables tables, Call call) {
        return tables.row(table, call.number(0))
                .orElseThrow(() -> ApiFailure.absent(singular + " " + call.text(0) + " does not exist"));
    }

    private static void refuse(List<Violation> violations) {
        if (!violations.isEmpty()) throw ApiFailure.invalid(violations);
    }

    /** Tells whether another row has the same text in a member. */
    protected boolean taken(Tables tables, JsonObject row, String member) {
        return tables.rows(table).stream()
                .anyMatch(other -> !other.get("id").equals(row.get("id"))
                        && JsonTools.text(other, member).equals(JsonTools.text(row, member)));
    }
}
