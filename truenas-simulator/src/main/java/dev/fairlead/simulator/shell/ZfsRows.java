package dev.fairlead.simulator.shell;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.pool.DatasetView;
import dev.fairlead.simulator.pool.Space;
import dev.fairlead.simulator.pool.Zfs;
import dev.fairlead.simulator.pool.ZfsProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Prints properties as "zfs get -Hp" does, of one moment. */
final class ZfsRows {
    private static final String NONE = "-";

    /** The values of properties that the API does not know, if nobody has set them. */
    private static final Map<String, String> DEFAULTS = Map.of(
            "sharenfs", "off",
            "sharesmb", "off",
            "logbias", "latency",
            "primarycache", "all",
            "secondarycache", "all",
            "mounted", "yes");

    private final Zfs zfs;
    private final Tables tables;

    ZfsRows(Zfs zfs, Tables tables) {
        this.zfs = zfs;
        this.tables = tables;
    }

    /** A value and where it comes from. */
    private record Value(String value, String source) {}

    Optional<JsonObject> row(String name) {
        return tables.row(name.contains("@") ? Zfs.SNAPSHOTS : Zfs.DATASETS, name);
    }

    static String type(String name, JsonObject row) {
        if (name.contains("@")) return "snapshot";
        return Zfs.volume(row) ? "volume" : "filesystem";
    }

    /** Returns a dataset or snapshot and what is below it, down to a depth: each dataset before its snapshots. */
    List<String> names(String top, int depth) {
        List<String> names = new ArrayList<>(List.of(top));
        if (depth < 1 || top.contains("@")) return names;
        zfs.snapshots(tables, top).forEach(row -> names.add(JsonTools.text(row, "name")));
        new TreeSet<>(zfs.children(tables, top).stream()
                        .map(row -> JsonTools.text(row, "name"))
                        .filter(name -> Zfs.parent(name).equals(top))
                        .toList())
                .forEach(child -> names.addAll(names(child, depth - 1)));
        return names;
    }

    String printed(String name, List<String> properties, boolean own, List<String> columns) {
        JsonObject row = row(name).orElseThrow();
        List<String> asked = properties.equals(List.of("all")) ? all(row) : properties;
        var lines = new StringBuilder();
        for (String property : asked) {
            Value value = value(name, row, property);
            if (own && !value.source().equals("local")) continue;
            Map<String, String> cells =
                    Map.of("name", name, "property", property, "value", value.value(), "source", value.source());
            lines.append(columns.stream().map(cells::get).collect(Collectors.joining("\t")))
                    .append('\n');
        }
        return lines.toString();
    }

    private static List<String> all(JsonObject row) {
        Set<String> keys = new TreeSet<>(JsonTools.child(row, "props").keySet());
        keys.addAll(JsonTools.child(row, "user").keySet());
        return List.copyOf(keys);
    }

    private Value value(String name, JsonObject row, String property) {
        Optional<String> computed = computed(name, row, property);
        if (computed.isPresent()) return new Value(computed.get(), NONE);
        if (property.contains(":")) return user(name, property);
        String of = name.split("@", 2)[0];
        if (name.contains("@")) {
            String kept = JsonTools.text(JsonTools.child(row, "props"), property, NONE);
            return new Value(property.equals("volsize") ? kept : NONE, NONE);
        }
        JsonObject own = JsonTools.child(row, "props");
        Optional<ZfsProperty> known = ZfsProperty.ofZfs(property);
        if (known.isPresent() && known.get().of(Zfs.volume(row))) {
            DatasetView.Value value = DatasetView.value(tables, of, known.get());
            return new Value(value.raw(), property.startsWith("vol") ? NONE : source(value.source(), value.from()));
        }
        if (own.has(property)) return new Value(JsonTools.text(own, property), "local");
        String usual = known.isPresent() ? null : DEFAULTS.get(property);
        return usual == null ? new Value(NONE, NONE) : new Value(usual, "default");
    }

    private static String source(String word, String from) {
        return switch (word) {
            case "LOCAL" -> "local";
            case "INHERITED" -> "inherited from " + from;
            default -> "default";
        };
    }

    private Value user(String name, String property) {
        for (String at = name; !at.isEmpty(); at = above(at)) {
            JsonObject set = row(at).map(row -> JsonTools.child(row, "user")).orElseGet(JsonObject::new);
            if (set.has(property))
                return new Value(JsonTools.text(set, property), at.equals(name) ? "local" : "inherited from " + at);
        }
        return new Value(NONE, NONE);
    }

    private static String above(String name) {
        int at = name.indexOf('@');
        return at < 0 ? Zfs.parent(name) : name.substring(0, at);
    }

    private Optional<String> computed(String name, JsonObject row, String property) {
        boolean snapshot = name.contains("@");
        boolean volume = Zfs.volume(row);
        return Optional.ofNullable(
                switch (property) {
                    case "type" -> type(name, row);
                    case "origin" ->
                        snapshot ? NONE : JsonTools.text(row, "origin").replaceFirst("^$", NONE);
                    case "mountpoint" -> snapshot || volume ? NONE : "/mnt/" + name;
                    case "mounted" -> snapshot || volume ? NONE : "yes";
                    case "inconsistent" -> "0";
                    case "receive_resume_token" -> NONE;
                    case "guid" -> JsonTools.text(row, "guid");
                    case "createtxg", "creation" -> Long.toString(JsonTools.number(row, property, 0));
                    case "available" -> snapshot ? NONE : Long.toString(new Space(tables).available(tables, name));
                    case "used" -> snapshot ? "0" : Long.toString(new Space(tables).used(name));
                    case "referenced" -> Long.toString(JsonTools.number(row, "data", 0));
                    case "logicalreferenced" -> Long.toString(logical(row, volume));
                    case "userrefs" ->
                        snapshot
                                ? Integer.toString(JsonTools.child(row, "holds").size())
                                : NONE;
                    case "defer_destroy" -> snapshot ? onOff(JsonTools.flag(row, "defer", false)) : NONE;
                    case "clones" -> snapshot ? String.join(",", zfs.clones(tables, name)) : NONE;
                    case null, default -> null;
                });
    }

    private static String onOff(boolean on) {
        return on ? "on" : "off";
    }

    /** Returns what is referenced before compression, which is less of an empty volume than of an empty filesystem. */
    private static long logical(JsonObject row, boolean volume) {
        long data = JsonTools.number(row, "data", 0);
        return volume ? data - (68 << 10) : data;
    }

    static List<String> list(String text) {
        return Arrays.asList(text.split(",", -1));
    }
}
