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
import dev.fairlead.simulator.profile.Profile;

/** Answers pool.dataset.rename. What shares the dataset keeps its old name, since nobody looks. */
public final class DatasetRename {
    private static final String OF_26 = "zfs.resource.rename";

    private final Store store;
    private final Zfs zfs;

    /** Makes it on a state. */
    public DatasetRename(Store store, Zfs zfs) {
        this.store = store;
        this.zfs = zfs;
    }

    void addTo(Methods methods) {
        methods.add(Method.of("pool.dataset.rename", this::rename)
                .roles("DATASET_WRITE")
                .takes("id", "data")
                .since(Profile.V25_10_0));
    }

    private JsonElement rename(Call call) {
        String from = call.text(0);
        JsonObject options = call.object(1);
        String to = JsonTools.text(options, "new_name");
        if (!JsonTools.flag(options, "force", false))
            throw ApiFailure.single(
                    "pool.dataset.rename.force",
                    "No safety checks are performed when renaming ZFS resources; this may break existing usages. If"
                            + " you understand the risks, please set force and proceed.",
                    ErrorNumber.EINVAL);
        store.update(tables -> {
            if (call.box().since(Profile.V26_BETA))
                renameOf26(tables, from, to, JsonTools.flag(options, "recursive", false));
            else renameByLibrary(tables, from, to);
        });
        return JsonNull.INSTANCE;
    }

    private void renameByLibrary(Tables tables, String from, String to) {
        try {
            move(tables, from, to);
        } catch (ZfsError e) {
            throw e.number() == ErrorNumber.ENOENT && zfs.dataset(tables, from).isEmpty()
                    ? ApiFailure.call(ErrorNumber.ENOENT, "Dataset '" + from + "' not found")
                    : ApiFailure.call("Failed to rename dataset: " + e.text());
        }
    }

    private void renameOf26(Tables tables, String from, String to, boolean recursive) {
        if (from.contains("@"))
            throw refusal("Use `zfs.resource.snapshot.rename` to rename snapshots.", ErrorNumber.EINVAL);
        if (zfs.dataset(tables, from).isEmpty()) throw refusal("'" + from + "' not found", ErrorNumber.ENOENT);
        if (zfs.dataset(tables, to).isPresent()) throw refusal("'" + to + "' already exists", ErrorNumber.EEXIST);
        if (recursive) throw refusal("recursive is only valid for snapshots", ErrorNumber.EINVAL);
        try {
            move(tables, from, to);
        } catch (ZfsError e) {
            throw ApiFailure.unexpected(e.text());
        }
    }

    private static ApiFailure refusal(String text, int number) {
        return ApiFailure.single(OF_26, text, number);
    }

    /** Moves a dataset as ZFS does: with all below it, and clones keep their origins. */
    public void move(Tables tables, String from, String to) {
        if (zfs.dataset(tables, from).isEmpty())
            throw new ZfsError(ErrorNumber.ENOENT, "cannot open '" + from + "': dataset does not exist");
        if (zfs.dataset(tables, to).isPresent()) throw refused(from, ErrorNumber.EEXIST, "dataset already exists");
        if (!Zfs.pool(from).equals(Zfs.pool(to)) || Zfs.parent(from).isEmpty())
            throw refused(from, ErrorNumber.EINVAL, "datasets must be within same pool");
        if (Zfs.below(to, from))
            throw refused(from, ErrorNumber.EINVAL, "New dataset name cannot be a descendant of current dataset name");
        JsonObject above = zfs.dataset(tables, Zfs.parent(to))
                .orElseThrow(() -> refused(from, ErrorNumber.ENOENT, "parent does not exist"));
        if (Zfs.volume(above)) throw refused(from, ErrorNumber.EINVAL, "parent is not a filesystem");
        for (JsonObject child : zfs.children(tables, from)) {
            String name = JsonTools.text(child, "name");
            moveOne(tables, name, to + name.substring(from.length()));
        }
        moveOne(tables, from, to);
    }

    private static ZfsError refused(String from, int number, String why) {
        return new ZfsError(number, "cannot rename '" + from + "': " + why);
    }

    private void moveOne(Tables tables, String from, String to) {
        JsonObject row = zfs.dataset(tables, from).orElseThrow();
        tables.remove(Zfs.DATASETS, from);
        tables.put(Zfs.DATASETS, to, JsonTools.with(row, "name", to));
        zfs.snapshots(tables, from).forEach(snapshot -> zfs.move(tables, snapshot, to));
    }
}
