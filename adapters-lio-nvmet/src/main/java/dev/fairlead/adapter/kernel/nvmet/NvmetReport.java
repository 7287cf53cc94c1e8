package dev.fairlead.adapter.kernel.nvmet;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads what the script of the storage host printed.
 *
 * @param values the values by their names; the last one of a name that comes several times
 * @param links the ports by which the subsystem is reached
 * @param hosts the hosts that are let in by name
 * @param left what should have been removed and still exists
 * @param untaken the attributes that the kernel did not change because the subsystem already shows the device
 */
record NvmetReport(
        Map<String, String> values, List<String> links, List<String> hosts, List<String> left, List<String> untaken) {
    private static final String PORT = "port/";

    NvmetReport {
        values = Map.copyOf(values);
        links = List.copyOf(links);
        hosts = List.copyOf(hosts);
        left = List.copyOf(left);
        untaken = List.copyOf(untaken);
    }

    static NvmetReport read(String output) {
        Map<String, String> values = new HashMap<>();
        output.lines().forEach(line -> {
            int tab = line.indexOf('\t');
            if (tab > 0) {
                values.put(line.substring(0, tab), line.substring(tab + 1).strip());
            }
        });
        return new NvmetReport(
                values, all(output, "link"), all(output, "host"), all(output, "left"), all(output, "untaken"));
    }

    private static List<String> all(String output, String name) {
        return output.lines()
                .filter(line -> line.startsWith(name + "\t"))
                .map(line -> line.substring(name.length() + 1))
                .toList();
    }

    String value(String name) {
        return values.getOrDefault(name, "");
    }

    /** Returns the identity of the namespace; empty if there is no namespace. */
    Optional<NvmeIdentity> identity() {
        String uuid = value("device_uuid");
        return uuid.isEmpty()
                ? Optional.empty()
                : Optional.of(new NvmeIdentity(uuid, value("device_nguid"), value("attr_serial")));
    }

    /** Returns the first difference from what was to be shown; empty if there is none. */
    Optional<String> difference(Subsystem wanted) {
        Map<String, String> expected = new TreeMap<>(Map.of(
                "namespaces", "1",
                "enable", "1",
                "device_path", wanted.device()));
        wanted.attributes().forEach((name, value) -> expected.put("attr_" + name, value));
        return expected.entrySet().stream()
                .filter(each -> !each.getValue().equals(value(each.getKey())))
                .map(each -> each.getKey() + " is '" + value(each.getKey()) + "' (expected: " + each.getValue() + ")")
                .findFirst()
                .or(() -> wanted.hosts()
                        .filter(only -> !Set.copyOf(only).equals(Set.copyOf(hosts)))
                        .map(only -> "hosts " + hosts + " are let in (expected: " + only + ")"))
                .or(() -> wanted.ports().stream()
                        .filter(port -> links.contains(port) != wanted.isShown())
                        .map(port -> "port " + port + (wanted.isShown() ? " does not show it" : " still shows it"))
                        .findFirst());
    }

    /** Returns the ports as {@link SavedConfig} keeps them, each without its subsystems, by their numbers. */
    Map<String, JsonObject> ports() {
        Map<String, JsonObject> ports = new TreeMap<>();
        new TreeMap<>(values).forEach((name, value) -> {
            String[] path = name.split("/", -1);
            if (name.startsWith(PORT) && path.length >= 3) {
                JsonObject port = ports.computeIfAbsent(path[1], NvmetReport::port);
                place(port, path, value);
            }
        });
        return ports;
    }

    private static JsonObject port(String number) {
        JsonObject port = new JsonObject();
        port.add("addr", new JsonObject());
        port.add("ana_groups", new JsonArray());
        port.add("param", new JsonObject());
        port.addProperty("portid", Long.valueOf(number));
        port.add("referrals", new JsonArray());
        port.add("subsystems", new JsonArray());
        return port;
    }

    private static void place(JsonObject port, String[] path, String value) {
        switch (path.length) {
            case 3 -> attribute(port, path[2], value);
            case 5 -> {
                boolean group = path[2].equals("ana_groups");
                JsonObject entry = entry(port.getAsJsonArray(path[2]), group ? "grpid" : "name", path[3]);
                if (path[4].equals("enable")) {
                    entry.addProperty("enable", Long.valueOf(value));
                } else {
                    attribute(entry, path[4], value);
                }
            }
            default -> {}
        }
    }

    private static JsonObject entry(JsonArray list, String key, String name) {
        for (var each : list) {
            if (each instanceof JsonObject known && known.get(key).getAsString().equals(name)) {
                return known;
            }
        }
        JsonObject fresh = new JsonObject();
        if (key.equals("grpid")) {
            fresh.addProperty(key, Long.valueOf(name));
        } else {
            fresh.addProperty(key, name);
        }
        list.add(fresh);
        return fresh;
    }

    /** Adds an attribute of configfs: {@code addr_traddr} becomes {@code traddr} of {@code addr}. */
    private static void attribute(JsonObject of, String file, String value) {
        int cut = file.indexOf('_');
        if (cut > 0) {
            String group = file.substring(0, cut);
            if (!of.has(group)) {
                of.add(group, new JsonObject());
            }
            of.getAsJsonObject(group).addProperty(file.substring(cut + 1), value);
        }
    }
}
