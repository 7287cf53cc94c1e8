package dev.fairlead.simulator.pool;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.ErrorNumber;
import java.util.List;
import java.util.Optional;

/** Answers the method replication.run_onetime, as far as it stays on this box. */
public final class ReplicationMethods {
    private final Store store;
    private final Zfs zfs;

    /** Makes it on a state. */
    public ReplicationMethods(Store store, Zfs zfs) {
        this.store = store;
        this.zfs = zfs;
    }

    /** Adds it. */
    public void addTo(Methods methods) {
        methods.add(Method.of("replication.run_onetime", this::run)
                .roles("REPLICATION_TASK_WRITE")
                .takes("replication_run_onetime")
                .asJob());
    }

    private JsonElement run(Call call) {
        JsonObject data = call.object(0);
        if (!JsonTools.text(data, "transport").equals("LOCAL"))
            throw ApiFailure.call(ErrorNumber.EOPNOTSUPP, "Only replication on this box is simulated");
        String source = JsonTools.list(data, "source_datasets").get(0).getAsString();
        String target = JsonTools.text(data, "target_dataset");
        store.update(tables -> {
            List<JsonObject> snapshots = snapshots(tables, source, JsonTools.text(data, "name_regex", ".*"));
            Optional<JsonObject> existing = zfs.dataset(tables, target);
            if (existing.isPresent() && JsonTools.flag(data, "only_from_scratch", false))
                throw ApiFailure.call("Target dataset '" + target + "' already exists.");
            if (zfs.dataset(tables, source).isEmpty()) throw ApiFailure.call("Dataset '" + source + "' does not exist");
            if (zfs.dataset(tables, Zfs.parent(target)).isEmpty())
                throw ApiFailure.call("cannot open '" + Zfs.parent(target) + "': dataset does not exist");
            if (snapshots.isEmpty())
                throw ApiFailure.call("Dataset '" + source + "' does not have any matching snapshots to replicate");
            receive(tables, snapshots, target, existing.isEmpty(), JsonTools.flag(data, "properties", true));
        });
        return JsonNull.INSTANCE;
    }

    private List<JsonObject> snapshots(Tables tables, String source, String pattern) {
        return zfs.snapshots(tables, source).stream()
                .filter(row -> JsonTools.text(row, "snapshot_name").matches(pattern))
                .toList();
    }

    // What is received is whole and depends on nothing; without properties it has none of users.
    private void receive(Tables tables, List<JsonObject> snapshots, String target, boolean fresh, boolean properties) {
        JsonObject last = snapshots.getLast();
        JsonObject props = JsonTools.child(last, "props").deepCopy();
        List.of("refquota", "quota", "refreservation", "reservation").forEach(props::remove);
        JsonObject user = properties
                ? JsonTools.child(
                        zfs.dataset(tables, JsonTools.text(last, "dataset")).orElseThrow(), "user")
                : new JsonObject();
        if (fresh) zfs.create(tables, target, JsonTools.text(last, "type"), props, user);
        JsonObject row = zfs.dataset(tables, target).orElseThrow();
        JsonObject copied = JsonTools.object(
                "data",
                last.get("data"),
                "content",
                JsonTools.at(last, "content").orElse(JsonNull.INSTANCE),
                Zfs.COPIED,
                last.get("name"));
        tables.put(Zfs.DATASETS, target, JsonTools.merged(row, copied));
        for (JsonObject snapshot : snapshots) {
            String name = JsonTools.text(snapshot, "snapshot_name");
            if (tables.row(Zfs.SNAPSHOTS, target + "@" + name).isEmpty())
                zfs.snapshot(tables, target, name, properties ? JsonTools.child(snapshot, "user") : new JsonObject());
        }
    }
}
