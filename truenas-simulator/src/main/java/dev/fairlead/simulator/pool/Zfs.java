package dev.fairlead.simulator.pool;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.ErrorNumber;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Does what ZFS does to datasets and snapshots, below all names and rules of the vendor. */
public final class Zfs {
    /** The table of datasets. */
    public static final String DATASETS = "dataset";

    /** The table of snapshots. */
    public static final String SNAPSHOTS = "snapshot";

    /** The member of a new dataset that names the snapshot whose stream it was received from. */
    public static final String COPIED = "copied";

    private final Clock clock;
    private final Map<String, List<String>> byOrigin = new HashMap<>();
    private long indexed = -1;

    /** Makes it with the clock that dates what is created. */
    public Zfs(Clock clock) {
        this.clock = clock;
    }

    /** Finds a dataset. */
    public Optional<JsonObject> dataset(Tables tables, String name) {
        return tables.row(DATASETS, name);
    }

    /** Returns the name above one; empty of a pool. */
    public static String parent(String name) {
        int slash = name.lastIndexOf('/');
        return slash < 0 ? "" : name.substring(0, slash);
    }

    /** Returns the name of a dataset's pool. */
    public static String pool(String name) {
        int slash = name.indexOf('/');
        return slash < 0 ? name : name.substring(0, slash);
    }

    /** Says whether a dataset or snapshot is of a volume. */
    public static boolean volume(JsonObject dataset) {
        return JsonTools.text(dataset, "type").equals("VOLUME");
    }

    static boolean below(String name, String ancestor) {
        return name.startsWith(ancestor + "/");
    }

    /** Returns all datasets below one. */
    public List<JsonObject> children(Tables tables, String name) {
        return tables.rows(DATASETS, name + "/");
    }

    /** Returns the snapshots of a dataset, the oldest first. */
    public List<JsonObject> snapshots(Tables tables, String dataset) {
        return tables.rows(SNAPSHOTS, dataset + "@").stream()
                .sorted(Comparator.comparingLong(row -> JsonTools.number(row, "createtxg", 0)))
                .toList();
    }

    /** Returns the names of datasets that were cloned from a snapshot. */
    public synchronized List<String> clones(Tables tables, String snapshot) {
        if (indexed != tables.revision()) {
            byOrigin.clear();
            for (JsonObject row : tables.rows(DATASETS)) {
                String origin = JsonTools.text(row, "origin");
                if (!origin.isEmpty())
                    byOrigin.computeIfAbsent(origin, key -> new ArrayList<>()).add(JsonTools.text(row, "name"));
            }
            indexed = tables.revision();
        }
        return List.copyOf(byOrigin.getOrDefault(snapshot, List.of()));
    }

    /** Creates a dataset with these properties of its own. */
    public JsonObject create(Tables tables, String name, String type, JsonObject properties, JsonObject user) {
        if (dataset(tables, name).isPresent())
            throw new ZfsError(ErrorNumber.EEXIST, "cannot create '" + name + "': dataset already exists");
        if (name.contains("/")) {
            JsonObject above = dataset(tables, parent(name))
                    .orElseThrow(() ->
                            new ZfsError(ErrorNumber.ENOENT, "cannot create '" + name + "': parent does not exist"));
            if (volume(above))
                throw new ZfsError(ErrorNumber.EINVAL, "cannot create '" + name + "': parent is not a filesystem");
        }
        JsonObject row = JsonTools.object(
                "name", name, "type", type, "props", properties, "user", user, "origin", "", "data", 98304L);
        born(tables, row);
        row.add("perm", JsonTools.object("uid", 0, "gid", 0, "mode", 0x1ed, "acl", false));
        tables.put(DATASETS, name, row);
        return row;
    }

    private void born(Tables tables, JsonObject row) {
        row.addProperty("guid", Long.toUnsignedString(UUID.randomUUID().getMostSignificantBits()));
        row.addProperty("createtxg", tables.nextId("txg"));
        row.addProperty("creation", clock.instant().getEpochSecond());
        row.addProperty("born", clock.millis());
    }

    /** Takes a snapshot. */
    public JsonObject snapshot(Tables tables, String dataset, String name, JsonObject user) {
        String id = dataset + "@" + name;
        JsonObject source = dataset(tables, dataset)
                .orElseThrow(() ->
                        new ZfsError(ErrorNumber.ENOENT, "cannot open '" + dataset + "': dataset does not exist"));
        if (tables.row(SNAPSHOTS, id).isPresent())
            throw new ZfsError(ErrorNumber.EEXIST, "cannot create snapshot '" + id + "': dataset already exists");
        JsonObject row = JsonTools.object(
                "name",
                id,
                "dataset",
                dataset,
                "snapshot_name",
                name,
                "user",
                user,
                "holds",
                new JsonObject(),
                "defer",
                false,
                "data",
                JsonTools.number(source, "data", 0),
                "type",
                source.get("type"),
                "props",
                source.getAsJsonObject("props").deepCopy());
        born(tables, row);
        row.add("content", content(source));
        tables.put(SNAPSHOTS, id, row);
        return row;
    }

    private static JsonElement content(JsonObject row) {
        return JsonTools.at(row, "content").orElse(JsonNull.INSTANCE);
    }

    /** Clones a snapshot. */
    public JsonObject clone(Tables tables, String snapshot, String name, JsonObject properties, JsonObject user) {
        JsonObject source = tables.row(SNAPSHOTS, snapshot)
                .orElseThrow(() ->
                        new ZfsError(ErrorNumber.ENOENT, "cannot open '" + snapshot + "': dataset does not exist"));
        if (!pool(snapshot).equals(pool(name)))
            throw new ZfsError(ErrorNumber.EINVAL, "cannot create '" + name + "': source and target pools differ");
        JsonObject props = new JsonObject();
        if (volume(source)) {
            for (String key : List.of("volsize", "volblocksize"))
                if (source.getAsJsonObject("props").has(key))
                    props.add(key, source.getAsJsonObject("props").get(key));
        }
        JsonObject row =
                create(tables, name, JsonTools.text(source, "type"), JsonTools.merged(props, properties), user);
        row = JsonTools.merged(
                row, JsonTools.object("origin", snapshot, "data", source.get("data"), "content", content(source)));
        tables.put(DATASETS, name, row);
        return row;
    }

    /** Destroys one snapshot; deferred, it stays until its last clone and hold have gone. */
    public void destroySnapshot(Tables tables, String id, boolean defer) {
        JsonObject row = tables.row(SNAPSHOTS, id)
                .orElseThrow(() -> new ZfsError(ErrorNumber.ENOENT, "could not find any snapshots to destroy"));
        List<String> clones = clones(tables, id);
        boolean held = !row.getAsJsonObject("holds").isEmpty();
        if (clones.isEmpty() && !held) {
            tables.remove(SNAPSHOTS, id);
            return;
        }
        if (!defer && !clones.isEmpty())
            throw new ZfsError(ErrorNumber.EEXIST, "cannot destroy '" + id + "': snapshot has dependent clones");
        if (!defer) throw new ZfsError(ErrorNumber.EBUSY, "cannot destroy snapshot '" + id + "': dataset is busy");
        tables.put(SNAPSHOTS, id, JsonTools.with(row, "defer", true));
    }

    /** Destroys a dataset as "zfs destroy" does, recursive with what is below it but never with clones elsewhere. */
    public void destroy(Tables tables, String name, boolean recursive) {
        JsonObject row = dataset(tables, name)
                .orElseThrow(
                        () -> new ZfsError(ErrorNumber.ENOENT, "cannot open '" + name + "': dataset does not exist"));
        String kind = volume(row) ? "volume" : "filesystem";
        List<JsonObject> below = children(tables, name);
        List<JsonObject> snapshots = snapshots(tables, name);
        if (!recursive && !(below.isEmpty() && snapshots.isEmpty()))
            throw new ZfsError(ErrorNumber.ENOTEMPTY, "cannot destroy '" + name + "': " + kind + " has children");
        List<String> doomed = new ArrayList<>(
                below.stream().map(child -> JsonTools.text(child, "name")).toList());
        doomed.add(name);
        for (String each : doomed)
            for (JsonObject snapshot : snapshots(tables, each)) {
                String id = JsonTools.text(snapshot, "name");
                if (!doomed.containsAll(clones(tables, id)))
                    throw new ZfsError(
                            ErrorNumber.EBUSY, "cannot destroy '" + name + "': " + kind + " has dependent clones");
                if (!snapshot.getAsJsonObject("holds").isEmpty())
                    throw new ZfsError(ErrorNumber.EBUSY, "cannot destroy '" + id + "': dataset is busy");
            }
        for (String each : doomed) {
            snapshots(tables, each).forEach(snapshot -> tables.remove(SNAPSHOTS, JsonTools.text(snapshot, "name")));
            forget(tables, each);
        }
    }

    /** Takes the dataset away, and with it a deferred snapshot that waited for nobody else. */
    void forget(Tables tables, String name) {
        Optional<JsonObject> row = dataset(tables, name);
        tables.remove(DATASETS, name);
        row.map(dataset -> JsonTools.text(dataset, "origin"))
                .flatMap(origin -> tables.row(SNAPSHOTS, origin))
                .ifPresent(origin -> reap(tables, origin));
    }

    /** Removes a snapshot that was destroyed by defer once nobody needs it. */
    void reap(Tables tables, JsonObject snapshot) {
        String id = JsonTools.text(snapshot, "name");
        if (JsonTools.flag(snapshot, "defer", false)
                && snapshot.getAsJsonObject("holds").isEmpty()
                && clones(tables, id).isEmpty()) tables.remove(SNAPSHOTS, id);
    }

    /** Turns origin and clone around. */
    public void promote(Tables tables, String name) {
        JsonObject clone = dataset(tables, name)
                .orElseThrow(
                        () -> new ZfsError(ErrorNumber.ENOENT, "cannot open '" + name + "': dataset does not exist"));
        String origin = JsonTools.text(clone, "origin");
        JsonObject pivot = tables.row(SNAPSHOTS, origin)
                .orElseThrow(() ->
                        new ZfsError(ErrorNumber.EINVAL, "cannot promote '" + name + "': not a cloned filesystem"));
        String source = JsonTools.text(pivot, "dataset");
        JsonObject former = dataset(tables, source).orElseThrow();
        List<JsonObject> moving = snapshots(tables, source).stream()
                .filter(row -> JsonTools.number(row, "createtxg", 0) <= JsonTools.number(pivot, "createtxg", 0))
                .toList();
        moving.forEach(row -> {
            String snap = JsonTools.text(row, "snapshot_name");
            if (tables.row(SNAPSHOTS, name + "@" + snap).isPresent())
                throw new ZfsError(
                        ErrorNumber.EEXIST, "cannot promote '" + name + "': snapshot name '" + snap + "' conflicts");
        });
        moving.forEach(row -> move(tables, row, name));
        tables.put(DATASETS, name, JsonTools.with(dataset(tables, name).orElseThrow(), "origin", former.get("origin")));
        String pivotNow = name + "@" + JsonTools.text(pivot, "snapshot_name");
        tables.put(DATASETS, source, JsonTools.with(dataset(tables, source).orElseThrow(), "origin", pivotNow));
    }

    /** Moves a snapshot to another dataset, and what was cloned from it along. */
    void move(Tables tables, JsonObject snapshot, String dataset) {
        String old = JsonTools.text(snapshot, "name");
        String now = dataset + "@" + JsonTools.text(snapshot, "snapshot_name");
        List<String> clones = clones(tables, old);
        tables.remove(SNAPSHOTS, old);
        tables.put(SNAPSHOTS, now, JsonTools.merged(snapshot, JsonTools.object("name", now, "dataset", dataset)));
        clones.forEach(clone -> tables.put(
                DATASETS, clone, JsonTools.with(dataset(tables, clone).orElseThrow(), "origin", now)));
    }

    /** Holds a snapshot by a tag, or lets it go. */
    public void hold(Tables tables, JsonObject snapshot, String tag, boolean set) {
        JsonObject holds = JsonTools.child(snapshot, "holds").deepCopy();
        if (set) holds.addProperty(tag, clock.instant().getEpochSecond());
        else holds.remove(tag);
        JsonObject held = JsonTools.with(snapshot, "holds", holds);
        tables.put(SNAPSHOTS, JsonTools.text(snapshot, "name"), held);
        if (!set) reap(tables, held);
    }

    /** Makes a dataset what it was at a snapshot; recursive, it destroys the snapshots since. */
    void rollback(Tables tables, JsonObject snapshot, boolean recursive) {
        String dataset = JsonTools.text(snapshot, "dataset");
        List<JsonObject> since = snapshots(tables, dataset).stream()
                .filter(row -> JsonTools.number(row, "createtxg", 0) > JsonTools.number(snapshot, "createtxg", 0))
                .toList();
        if (!since.isEmpty() && !recursive)
            throw new ZfsError(
                    ErrorNumber.EEXIST,
                    "cannot rollback to '" + JsonTools.text(snapshot, "name")
                            + "': more recent snapshots or bookmarks exist");
        since.forEach(row -> destroySnapshot(tables, JsonTools.text(row, "name"), false));
        JsonObject row = dataset(tables, dataset).orElseThrow();
        JsonObject back = JsonTools.object("data", snapshot.get("data"), "content", content(snapshot));
        tables.put(DATASETS, dataset, JsonTools.merged(row, back));
    }

    static JsonArray names(List<String> names) {
        JsonArray array = new JsonArray();
        names.forEach(array::add);
        return array;
    }
}
