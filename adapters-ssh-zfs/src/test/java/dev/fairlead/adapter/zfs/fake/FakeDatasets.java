package dev.fairlead.adapter.zfs.fake;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Datasets and snapshots in memory, and the properties that {@code zfs get} would tell of them. */
abstract class FakeDatasets {
    private static final Map<String, String> DEFAULTS = Map.of(
            "sharenfs", "off",
            "sharesmb", "off",
            "acltype", "off",
            "compression", "off",
            "recordsize", "131072",
            "sync", "standard",
            "logbias", "latency",
            "primarycache", "all",
            "secondarycache", "all");
    private static final Set<String> NATIVE = Set.of(
            "compression",
            "dedup",
            "recordsize",
            "refquota",
            "refreservation",
            "volblocksize",
            "volsize",
            "sharenfs",
            "sharesmb");

    final SortedMap<String, Node> nodes = new TreeMap<>();
    private final SortedMap<String, Node> exported = new TreeMap<>();
    private final Map<String, String> lies = new TreeMap<>();
    private final Map<String, String> mountpoints = new TreeMap<>();
    private final Set<String> unmounted = new HashSet<>();
    private long clock = 1_700_000_000;

    /** @param origin the snapshot that it is a clone of, or empty */
    record Node(
            String type, String origin, SortedMap<String, String> own, SortedMap<String, String> files, long born) {}

    final void export() {
        exported.putAll(nodes);
        nodes.clear();
    }

    final void importAgain() {
        nodes.putAll(exported);
        exported.clear();
    }

    /** What it has against a command. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final String output;

        Refused(String words) {
            this(words, "");
        }

        /** @param output what it printed all the same */
        Refused(String words, String output) {
            super(words);
            this.output = output;
        }

        String output() {
            return output;
        }
    }

    final long tick() {
        return clock++;
    }

    final Node node(String type, String origin, SortedMap<String, String> files) {
        return node(type, origin, files, tick());
    }

    /** One that was born at the same instant as others. */
    final Node node(String type, String origin, SortedMap<String, String> files, long born) {
        return new Node(type, origin, new TreeMap<>(), files, born);
    }

    final Set<String> names() {
        return new HashSet<>(nodes.keySet());
    }

    final Map<String, String> files(String dataset) {
        Node node = nodes.get(dataset);
        return node == null ? new TreeMap<>() : node.files();
    }

    final Map<String, String> own(String name) {
        return new TreeMap<>(require(name).own());
    }

    final void put(String name, String type, Map<String, String> own) {
        Node node = node(type, "", new TreeMap<>());
        node.own().putAll(own);
        nodes.put(name, node);
    }

    final void lie(String property, String value) {
        lies.put(property, value);
    }

    final void busy(String name) {
        require(name).own().put(FakeCopies.BUSY, "yes");
    }

    final void busy(String name, int times) {
        require(name).own().put(FakeCopies.BUSY, Integer.toString(times));
    }

    final void unmount(String name) {
        unmounted.add(name);
    }

    private String mounted(String name) {
        return unmounted.contains(name) ? "no" : "yes";
    }

    final void mount(String name, String path) {
        mountpoints.put(name, path);
    }

    final void remove(String name) {
        nodes.remove(name);
    }

    final String[] value(String name, String property) {
        Node node = require(name);
        if (lies.containsKey(property)) {
            return new String[] {lies.get(property), "local"};
        }
        String computed = switch (property) {
            case "type" -> node.type();
            case "origin" -> node.type().equals("snapshot") || node.origin().isEmpty() ? "-" : node.origin();
            case "mountpoint" -> node.type().equals("filesystem") ? mountpoint(name) : "-";
            case "mounted" -> node.type().equals("filesystem") ? mounted(name) : "-";
            case "inconsistent" ->
                node.own().containsKey(FakeCopies.INCONSISTENT) || node.own().containsKey(FakeStreams.TOKEN)
                        ? "1"
                        : "0";
            case "guid", "creation" -> Long.toString(node.born());
            case "available" -> "1000000000000";
            case "referenced" -> "98304";
            case "logicalreferenced" -> Long.toString(logical(node));
            case "userrefs" -> node.type().equals("snapshot") ? Long.toString(FakeStreams.refs(node)) : "-";
            case "defer_destroy" -> node.own().getOrDefault(property, "off");
            case "clones" -> node.type().equals("snapshot") ? clones(name) : "-";
            default -> "";
        };
        if (!computed.isEmpty() || property.equals("clones")) {
            return new String[] {computed, "-"};
        }
        if (node.own().containsKey(property)) {
            return new String[] {
                node.own().get(property), NATIVE.contains(property) && property.startsWith("vol") ? "-" : "local"
            };
        }
        if (property.equals("volsize") && node.type().equals("snapshot")) {
            String of = require(above(name)).own().get("volsize");
            return new String[] {of == null ? "-" : of, "-"};
        }
        boolean ofUser = property.contains(":");
        if (ofUser
                || (DEFAULTS.containsKey(property)
                        && !(property.equals("recordsize") && node.type().equals("volume")))) {
            for (String above = above(name); !above.isEmpty(); above = above(above)) {
                String inherited = require(above).own().get(property);
                if (inherited != null) {
                    return new String[] {inherited, "inherited from " + above};
                }
            }
            return ofUser ? new String[] {"-", "-"} : new String[] {DEFAULTS.get(property), "default"};
        }
        if (property.equals("refquota") && node.type().equals("filesystem")) {
            return new String[] {"0", "default"};
        }
        return new String[] {"-", "-"};
    }

    /** What ZFS keeps of a volume on disks of 4 KiB sectors, and the blocks of its content. */
    private static long logical(Node node) {
        long blocks = node.files().values().stream()
                .mapToLong(text -> Math.ceilDiv(text.length(), 16 << 10))
                .sum();
        return node.type().equals("filesystem") ? 98304 : (28 << 10) + blocks * (16 << 10);
    }

    final String mountpoint(String name) {
        String own = mountpoints.get(name);
        if (own != null) {
            return own;
        }
        return above(name).isEmpty()
                ? "/" + name
                : mountpoint(above(name)) + name.substring(above(name).length());
    }

    static String pool(String name) {
        return name.split("[/@]", 2)[0];
    }

    static String above(String name) {
        int cut = Math.max(name.lastIndexOf('/'), name.lastIndexOf('@'));
        return cut < 0 ? "" : name.substring(0, cut);
    }

    final String clones(String snapshot) {
        return nodes.entrySet().stream()
                .filter(entry -> entry.getValue().origin().equals(snapshot)
                        && !entry.getValue().type().equals("snapshot"))
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(","));
    }

    final Node require(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            throw new Refused("cannot open '" + name + "': dataset does not exist");
        }
        return node;
    }

    final void refuseTaken(String name, String verb) {
        if (nodes.containsKey(name)) {
            throw new Refused("cannot " + verb + " '" + name + "': dataset already exists");
        }
        refuseWithoutPool(name, verb);
        if (!nodes.containsKey(above(name))) {
            throw new Refused("cannot " + verb + " '" + name + "': parent does not exist");
        }
    }

    final void refuseWithoutPool(String name, String verb) {
        String pool = name.split("[/@]", 2)[0];
        if (!nodes.containsKey(pool)) {
            throw new Refused("cannot " + verb + " '" + name + "': no such pool '" + pool + "'");
        }
    }

    /** All names as ZFS prints them: by the dataset, which comes before its snapshots, and these by their age. */
    private List<String> printed() {
        return nodes.keySet().stream()
                .sorted(Comparator.comparing((String name) -> name.split("@", 2)[0])
                        .thenComparingLong(
                                name -> name.contains("@") ? require(name).born() : 0L))
                .toList();
    }

    /** What {@code zfs get} prints of a dataset and what lies below it. */
    final String rows(
            String top, int depth, Collection<String> types, String[] properties, boolean own, String columns) {
        require(top);
        var rows = new StringBuilder();
        for (String name : printed()) {
            if (name.equals(top) || depthBelow(top, name) <= depth) {
                String type = require(name).type();
                String[] asked = List.of(properties).equals(List.of("all"))
                        ? require(name).own().keySet().toArray(String[]::new)
                        : properties;
                for (String property : types.contains(type) ? asked : new String[0]) {
                    String[] value = value(name, property);
                    if (own && !value[1].equals("local")) {
                        continue;
                    }
                    Map<String, String> row =
                            Map.of("name", name, "property", property, "value", value[0], "source", value[1]);
                    rows.append(Arrays.stream(columns.split(",", -1))
                                    .map(row::get)
                                    .collect(Collectors.joining("\t")))
                            .append('\n');
                }
            }
        }
        return rows.toString();
    }

    /** A snapshot is one level below its dataset. */
    static int depthBelow(String top, String name) {
        if (!name.startsWith(top + "/") && !name.startsWith(top + "@")) {
            return Integer.MAX_VALUE;
        }
        return (int) name.substring(top.length())
                .chars()
                .filter(c -> c == '/' || c == '@')
                .count();
    }
}
