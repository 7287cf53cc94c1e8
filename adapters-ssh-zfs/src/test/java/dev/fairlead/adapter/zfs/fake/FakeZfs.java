package dev.fairlead.adapter.zfs.fake;

import dev.fairlead.zfs.dataset.BlockSize;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A pool in memory and the {@code zfs} that works on it: it answers and complains as OpenZFS 2.1 was seen to. What it
 * gets wrong shows in the tests against the real one.
 */
final class FakeZfs extends FakeFamilies {
    private static final Set<String> VALUES = Set.of("sync", "logbias", "primarycache", "secondarycache");

    private static final Set<String> ONCE = Set.of(
            "encryption", "keyformat", "pbkdf2iters", "casesensitivity", "normalization", "utf8only", "volblocksize");

    private final FakeStreams streams = new FakeStreams(this);
    private final FakeCopies copies = new FakeCopies(this);
    private final FakeFiles files = new FakeFiles(this);
    private final Map<String, String> refused = new TreeMap<>();
    private boolean zstd = true;
    private String input = "";

    void withoutZstd() {
        zstd = false;
    }

    FakeCopies copies() {
        return copies;
    }

    void refuseProperty(String key, String words) {
        if (words.isEmpty()) {
            refused.remove(key);
        } else {
            refused.put(key, words);
        }
    }

    private void refuse(String name, Map<String, String> wanted, String doing) {
        wanted.keySet().stream().filter(refused::containsKey).findFirst().ifPresent(key -> {
            throw new Refused("cannot " + doing + " '" + name + "': " + refused.get(key));
        });
    }

    /** What the next command reads that reads a stream. */
    void reads(String stream) {
        input = stream;
    }

    /** Runs a command and answers what it prints; other programs than zfs do nothing. */
    String run(Deque<String> words) {
        String program = words.pop();
        if (program.equals("test")) {
            return FakeFiles.test(words);
        }
        if (program.equals("ls")) {
            return files.list(words.getLast());
        }
        if (program.equals("setfacl")) {
            return files.setfacl(words.getLast());
        }
        if (!program.endsWith("zfs")) {
            return ""; // chmod and its like
        }
        return switch (words.pop()) {
            case "get" -> get(words);
            case "create" -> create(words);
            case "clone" -> cloned(words);
            case "snapshot" -> snapshot(words);
            case "set" -> set(List.copyOf(words));
            case "mount" -> streams.mount(words.pop());
            case "send" -> streams.send(words);
            case "receive" -> received(words);
            case "hold" -> streams.hold(words.pop(), words.pop());
            case "holds" -> streams.holds(words.getLast());
            case "release" -> streams.release(words.pop(), words.pop());
            case "list" -> listed(words.getLast());
            case "inherit" -> inherit(words);
            case "destroy" -> destroy(new ArrayList<>(words));
            case "rename" -> rename(words.pop(), words.pop());
            case "promote" -> promote(words.getLast());
            case String other -> throw new AssertionError("zfs " + other);
        };
    }

    private String get(Deque<String> words) {
        int depth = 0;
        Collection<String> types = List.of("filesystem", "volume", "snapshot");
        String columns = "name,property,value,source";
        boolean own = false;
        while (words.peek().startsWith("-")) {
            switch (words.pop()) {
                case "-Hp" -> {}
                case "-o" -> columns = words.pop();
                case "-s" -> own = words.pop().equals("local,received");
                case "-d" -> depth = Integer.parseInt(words.pop());
                case "-t" -> types = List.of(words.pop().split(",", -1));
                case String other -> throw new AssertionError("zfs get " + other);
            }
        }
        String[] properties = words.pop().split(",", -1);
        var rows = new StringBuilder();
        List<String> missing = new ArrayList<>();
        for (String target : words) {
            if (nodes.containsKey(target)) {
                rows.append(rows(target, depth, types, properties, own, columns));
            } else {
                missing.add("cannot open '" + target + "': dataset does not exist");
            }
        }
        if (!missing.isEmpty()) {
            throw new Refused(String.join("\n", missing), rows.toString());
        }
        return rows.toString();
    }

    static Map<String, String> options(Deque<String> words) {
        Map<String, String> options = new TreeMap<>();
        while (words.peek().startsWith("-")) {
            String option = words.pop();
            switch (option) {
                case "-o" -> {
                    String[] pair = words.pop().split("=", 2);
                    options.put(pair[0], pair[1]);
                }
                case "-V" -> options.put("volsize", words.pop());
                case "-p" -> options.put("-p", "");
                default -> throw new AssertionError("option " + option);
            }
        }
        return options;
    }

    private String create(Deque<String> words) {
        Map<String, String> options = options(words);
        String name = words.pop();
        if (options.remove("-p") != null) {
            if (!nodes.containsKey(name)) {
                refuseWithoutPool(name, "create");
                create(new ArrayDeque<>(List.of("-p", above(name))));
                put(name, options.containsKey("volsize") ? "volume" : "filesystem", options);
            }
            return "";
        }
        refuseTaken(name, "create");
        refuse(name, options, "create");
        if (!zstd && options.getOrDefault("compression", "").startsWith("zstd")) {
            throw new Refused("cannot create '" + name + "': pool must be upgraded to set this property or value");
        }
        Node node = node(options.containsKey("volsize") ? "volume" : "filesystem", "", new TreeMap<>());
        FakeValues.keep(node, FakeValues.reserved(options));
        nodes.put(name, node);
        return "";
    }

    private String cloned(Deque<String> words) {
        Map<String, String> options = options(words);
        String origin = words.pop();
        String name = words.pop();
        Node source = require(origin);
        refuseTaken(name, "create");
        refuse(name, options, "create");
        if (!pool(origin).equals(pool(name))) {
            throw new Refused("cannot create '" + name + "': source and target pools differ");
        }
        Node of = require(above(origin));
        Node node = node(of.type(), origin, new TreeMap<>(source.files()));
        FakeValues.keep(node, options);
        keepShape(of, node);
        nodes.put(name, node);
        return "";
    }

    private String snapshot(Deque<String> words) {
        Map<String, String> options = options(words);
        Set<String> datasets = new HashSet<>();
        for (String name : words) {
            if (require(above(name)).own().containsKey(FakeCopies.BUSY)) {
                throw new Refused("cannot create snapshot '" + name + "': dataset is busy");
            }
            if (!datasets.add(above(name))) {
                throw new Refused("cannot create snapshots: multiple snapshots of same fs not allowed");
            }
        }
        if (datasets.stream().map(FakeDatasets::pool).distinct().count() > 1) {
            throw new Refused("cannot create snapshots: snapshots of several pools");
        }
        String taken = words.stream()
                .filter(name -> nodes.containsKey(name))
                .map(name -> "cannot create snapshot '" + name + "': dataset already exists\n")
                .collect(Collectors.joining());
        if (!taken.isEmpty()) {
            throw new Refused(taken + "no snapshots were created");
        }
        long instant = tick();
        for (String name : words) {
            Node of = require(above(name));
            Node node = node("snapshot", "", new TreeMap<>(of.files()), instant);
            node.own().putAll(options);
            nodes.put(name, node);
        }
        return "";
    }

    private String received(Deque<String> words) {
        if (!words.pop().equals("-s")) {
            throw new AssertionError("not resumable");
        }
        Map<String, String> options = options(words);
        streams.receive(options, words.pop(), input);
        return "";
    }

    static void keepShape(Node of, Node made) {
        for (String key : List.of("volsize", "volblocksize")) {
            String value = of.own().get(key);
            if (value != null) {
                made.own().put(key, value);
            }
        }
    }

    private String listed(String name) {
        require(name);
        return name + "\n";
    }

    private String inherit(Deque<String> words) {
        String property = words.pop();
        require(words.pop()).own().remove(property);
        return "";
    }

    /** As {@code zfs receive -o} does, which may give what is given once. */
    void give(String name, String key, String value) {
        if (ONCE.contains(key)) {
            require(name).own().put(key, value);
        } else {
            set(List.of(key + "=" + value, name));
        }
    }

    /**
     * Values are checked all before any is set; what a pool lacks a feature for is refused alone, and the rest is set.
     */
    String set(List<String> all) {
        List<String> words = new ArrayList<>(all);
        String name = words.removeLast();
        Node node = require(name);
        Map<String, String> wanted = new TreeMap<>();
        for (String pair : words) {
            String[] parts = pair.split("=", 2);
            wanted.put(parts[0], parts[1]);
        }
        wanted.keySet().stream().filter(ONCE::contains).findFirst().ifPresent(key -> {
            throw new Refused("cannot set property for '" + name + "': '" + key + "' is readonly");
        });
        refuse(name, wanted, "set property for");
        wanted.forEach((key, value) -> {
            if (VALUES.contains(key) && !value.matches("[a-z]+")) {
                throw new Refused("cannot set property for '" + name + "': '" + key + "' must be one of 'a | b'");
            }
            BlockSize blocks =
                    BlockSize.of(node.own().getOrDefault("volblocksize", "")).orElse(BlockSize.DEFAULT);
            if (key.equals("volsize") && Long.parseLong(value) % blocks.bytes() != 0) {
                throw new Refused("cannot set property for '" + name
                        + "': 'volsize' must be a multiple of volume block size (" + blocks + ")");
            }
        });
        boolean unknown = !zstd && wanted.getOrDefault("compression", "").startsWith("zstd");
        if (unknown) {
            wanted.remove("compression");
        }
        boolean tooLarge = Long.parseLong(FakeValues.kept("refreservation", wanted.getOrDefault("refreservation", "0")))
                > Long.parseLong(value(name, "available")[0]);
        if (tooLarge) {
            wanted.remove("refreservation");
        }
        FakeValues.keep(node, wanted);
        if (tooLarge) {
            throw new Refused("cannot set property for '" + name + "': size is greater than available space");
        }
        if (unknown) {
            throw new Refused("cannot set property for '" + name
                    + "': pool and or dataset must be upgraded to set this property or value");
        }
        return "";
    }

    /** What there is, for the eyes of whoever reads a failure. */
    @Override
    public String toString() {
        return nodes.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue().type() + " "
                        + entry.getValue().origin() + " " + entry.getValue().own())
                .collect(Collectors.joining("\n"));
    }
}
