package dev.fairlead.simulator.shell;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Attachments;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.ErrorNumber;
import dev.fairlead.simulator.pool.DatasetRename;
import dev.fairlead.simulator.pool.Zfs;
import dev.fairlead.simulator.pool.ZfsError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Does what the zfs command of a box does, as far as drivers use it, with the words of OpenZFS. */
final class ZfsProgram {
    private final Store store;
    private final Zfs zfs;
    private final DatasetRename rename;

    ZfsProgram(Store store, Zfs zfs) {
        this.store = store;
        this.zfs = zfs;
        this.rename = new DatasetRename(store, zfs);
    }

    /** Runs a subcommand; all of it is done or nothing. */
    Printed run(List<String> arguments, String input) {
        if (arguments.isEmpty()) return Printed.failed("missing command");
        List<String> words = arguments.subList(1, arguments.size());
        try {
            return switch (arguments.getFirst()) {
                case "get" -> store.read(tables -> get(tables, words));
                case "list" -> store.read(tables -> list(tables, words));
                case "holds" -> store.read(tables -> holds(tables, words));
                case "send" -> store.read(tables -> send(tables, words));
                default ->
                    store.change(tables -> {
                        change(tables, arguments.getFirst(), words, input);
                        return Printed.of("");
                    });
            };
        } catch (ZfsError e) {
            return Printed.failed(e.text());
        } catch (ApiFailure e) { // of the real storage
            return Printed.failed(e.text());
        }
    }

    private void change(Tables tables, String verb, List<String> words, String input) {
        switch (verb) {
            case "create" -> create(tables, ZfsWords.of(words, "V", true));
            case "clone" -> cloneOf(tables, ZfsWords.of(words, "", true));
            case "snapshot" -> snapshot(tables, ZfsWords.of(words, "", true));
            case "set" -> set(tables, words);
            case "inherit" -> inherit(tables, words.getFirst(), words.getLast());
            case "destroy" -> destroy(tables, ZfsWords.of(words, "", false));
            case "rename" -> rename.move(tables, words.getFirst(), words.getLast());
            case "promote" -> zfs.promote(tables, words.getLast());
            case "mount" -> required(tables, words.getLast());
            case "hold" -> hold(tables, words, true);
            case "release" -> hold(tables, words, false);
            case "receive" -> receive(tables, ZfsWords.of(words, "", true), input);
            default -> throw new ZfsError(ErrorNumber.EINVAL, "unrecognized command '" + verb + "'");
        }
    }

    private JsonObject required(Tables tables, String name) {
        return new ZfsRows(zfs, tables)
                .row(name)
                .orElseThrow(
                        () -> new ZfsError(ErrorNumber.ENOENT, "cannot open '" + name + "': dataset does not exist"));
    }

    private Printed get(Tables tables, List<String> arguments) {
        ZfsWords words = ZfsWords.of(arguments, "odts", false);
        var rows = new ZfsRows(zfs, tables);
        List<String> columns = ZfsRows.list(words.options().getOrDefault("o", "name,property,value,source"));
        List<String> types = ZfsRows.list(words.options().getOrDefault("t", "filesystem,volume,snapshot"));
        int depth = Integer.parseInt(words.options().getOrDefault("d", "0"));
        boolean own = words.options().containsKey("s");
        var output = new StringBuilder();
        var errors = new StringBuilder();
        for (String target : words.rest().subList(1, words.rest().size())) {
            if (rows.row(target).isEmpty()) {
                errors.append("cannot open '").append(target).append("': dataset does not exist\n");
                continue;
            }
            for (String name : rows.names(target, depth))
                if (types.contains(ZfsRows.type(name, rows.row(name).orElseThrow())))
                    output.append(rows.printed(name, ZfsRows.list(words.first()), own, columns));
        }
        return new Printed(errors.isEmpty() ? 0 : 1, output.toString(), errors.toString());
    }

    private Printed list(Tables tables, List<String> words) {
        required(tables, words.getLast());
        return Printed.of(words.getLast() + "\n");
    }

    private void create(Tables tables, ZfsWords words) {
        String name = words.last();
        if (words.has("p") && zfs.dataset(tables, name).isPresent()) return;
        if (tables.rows("pool").stream()
                .noneMatch(pool -> JsonTools.text(pool, "name").equals(Zfs.pool(name))))
            throw new ZfsError(
                    ErrorNumber.ENOENT, "cannot create '" + name + "': no such pool '" + Zfs.pool(name) + "'");
        if (words.has("p")) ancestors(tables, Zfs.parent(name));
        JsonObject props = words.props();
        String size = words.options().getOrDefault("V", "");
        if (!size.isEmpty()) {
            props.addProperty("volsize", size);
            if (!props.has("volblocksize")) props.addProperty("volblocksize", "16384");
            if (!props.has("refreservation")) props.addProperty("refreservation", size);
            requireBlocks(name, props);
        }
        zfs.create(tables, name, size.isEmpty() ? "FILESYSTEM" : "VOLUME", props, words.user());
    }

    private void ancestors(Tables tables, String name) {
        if (name.isEmpty() || zfs.dataset(tables, name).isPresent()) return;
        ancestors(tables, Zfs.parent(name));
        zfs.create(tables, name, "FILESYSTEM", new JsonObject(), new JsonObject());
    }

    private static void requireBlocks(String name, JsonObject props) {
        long block = JsonTools.number(props, "volblocksize", 0);
        if (Long.parseLong(JsonTools.text(props, "volsize")) % Math.max(1, block) != 0)
            throw new ZfsError(
                    ErrorNumber.EINVAL,
                    "cannot set property for '" + name + "': 'volsize' must be a multiple of volume block size ("
                            + (block >> 10) + "K)");
    }

    private void cloneOf(Tables tables, ZfsWords words) {
        zfs.clone(tables, words.first(), words.last(), words.props(), words.user());
    }

    private void snapshot(Tables tables, ZfsWords words) {
        for (String name : words.rest()) {
            String[] parts = name.split("@", 2);
            zfs.snapshot(tables, parts[0], parts[1], words.user().deepCopy());
        }
    }

    private void set(Tables tables, List<String> arguments) {
        String name = arguments.getLast();
        JsonObject row = required(tables, name);
        ZfsWords words = ZfsWords.of(List.of(), "", true);
        arguments.subList(0, arguments.size() - 1).forEach(words::property);
        JsonObject props = JsonTools.merged(JsonTools.child(row, "props"), words.props());
        if (words.props().has("volblocksize") || words.props().has("casesensitivity"))
            throw new ZfsError(ErrorNumber.EINVAL, "cannot set property for '" + name + "': it is readonly");
        if (words.props().has("volsize")) requireBlocks(name, props);
        put(tables, name, JsonTools.with(row, "props", props), words.user());
    }

    private static void put(Tables tables, String name, JsonObject row, JsonObject news) {
        JsonObject user = JsonTools.merged(JsonTools.child(row, "user"), news);
        tables.put(name.contains("@") ? Zfs.SNAPSHOTS : Zfs.DATASETS, name, JsonTools.with(row, "user", user));
    }

    private void inherit(Tables tables, String property, String name) {
        JsonObject row = required(tables, name).deepCopy();
        JsonTools.child(row, "props").remove(property);
        JsonTools.child(row, "user").remove(property);
        tables.put(name.contains("@") ? Zfs.SNAPSHOTS : Zfs.DATASETS, name, row);
    }

    private void destroy(Tables tables, ZfsWords words) {
        String target = words.last();
        int at = target.indexOf('@');
        if (at < 0) {
            required(tables, target);
            requireUnused(tables, target);
            zfs.destroy(tables, target, words.has("r"));
            return;
        }
        String dataset = target.substring(0, at);
        for (String name : ZfsRows.list(target.substring(at + 1)))
            zfs.destroySnapshot(tables, dataset + "@" + name, words.has("d"));
    }

    /** Refuses what a service of the box has open: a volume by its target, a filesystem by its exported mount. */
    private static void requireUnused(Tables tables, String name) {
        boolean used = tables.rows("iscsi_extent").stream().anyMatch(row -> Attachments.isVolumeOf(row, "disk", name))
                || tables.rows("nvmet_namespace").stream()
                        .anyMatch(row -> Attachments.isVolumeOf(row, "device_path", name))
                || tables.rows("nfs_share").stream()
                        .anyMatch(row -> JsonTools.flag(row, "enabled", true)
                                && Attachments.isOn(JsonTools.text(row, "path"), name));
        if (used) throw new ZfsError(ErrorNumber.EBUSY, "cannot destroy '" + name + "': dataset is busy");
    }

    private void hold(Tables tables, List<String> words, boolean set) {
        JsonObject row = required(tables, words.getLast());
        boolean there = JsonTools.child(row, "holds").has(words.getFirst());
        if (there == set)
            throw new ZfsError(
                    ErrorNumber.EEXIST,
                    "cannot " + (set ? "hold" : "release") + " snapshot '" + words.getLast() + "': "
                            + (set ? "tag already exists on this dataset" : "no such tag on this dataset"));
        zfs.hold(tables, row, words.getFirst(), set);
    }

    private Printed holds(Tables tables, List<String> words) {
        List<String> lines = new ArrayList<>();
        JsonTools.child(required(tables, words.getLast()), "holds")
                .keySet()
                .forEach(tag -> lines.add(words.getLast() + "\t" + tag + "\tThu Jan  1  0:00 1970\n"));
        return Printed.of(String.join("", lines));
    }

    /** Writes the row of a snapshot in the place of a stream. */
    private Printed send(Tables tables, List<String> arguments) {
        ZfsWords words = ZfsWords.of(arguments, "t", false);
        JsonObject row = required(tables, words.last());
        String stream = JsonTools.WRITER.toJson(row);
        return words.has("n") ? Printed.failed("") : Printed.of(stream);
    }

    private void receive(Tables tables, ZfsWords words, String input) {
        if (input.isEmpty()) throw new ZfsError(ErrorNumber.EINVAL, "cannot receive: failed to read from stream");
        JsonObject sent = JsonParser.parseString(input).getAsJsonObject();
        String[] target = words.last().split("@", 2);
        if (zfs.dataset(tables, target[0]).isPresent())
            throw new ZfsError(
                    ErrorNumber.EEXIST, "cannot receive new filesystem stream: destination '" + target[0] + "' exists");
        JsonObject props = words.props();
        JsonObject kept = JsonTools.child(sent, "props");
        for (String key : List.of("volsize", "volblocksize"))
            if (kept.has(key) && !props.has(key)) props.add(key, kept.get(key));
        JsonObject row = zfs.create(tables, target[0], JsonTools.text(sent, "type"), props, words.user());
        row = JsonTools.with(row, "data", JsonTools.number(sent, "data", 0));
        if (Optional.ofNullable(sent.get("content")).isPresent())
            row = JsonTools.with(row, "content", sent.get("content"));
        tables.put(Zfs.DATASETS, target[0], JsonTools.with(row, Zfs.COPIED, sent.get("name")));
        zfs.snapshot(tables, target[0], target[1], new JsonObject());
    }
}
