package dev.fairlead.adapter.zfs.fake;

import dev.fairlead.adapter.zfs.fake.FakeDatasets.Node;
import dev.fairlead.adapter.zfs.fake.FakeDatasets.Refused;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * {@code zfs send} and {@code zfs receive -s} of a pool in memory: streams that can be cut anywhere and taken up by a
 * token, as OpenZFS 2.1 was seen to do it. A stream is lines: what it is of, each file, the end.
 */
final class FakeStreams {
    /** What ZFS says is left of a stream when little is. */
    private static final String LESS_THAN_NOTHING = "18446744073709537120";

    private static final String END = "END";
    static final String TOKEN = "receive_resume_token";

    /** Set only when all has come. */
    private static final Set<String> LATE = Set.of("refquota", "refreservation");

    private final FakeZfs pool;

    FakeStreams(FakeZfs pool) {
        this.pool = pool;
    }

    /** What {@code zfs send} prints, or would send. */
    String send(Deque<String> words) {
        boolean dry = words.peek().equals("-nvP");
        if (dry) {
            words.pop();
        }
        boolean rest = words.peek().equals("-t");
        if (rest) {
            words.pop();
        }
        return rest ? rest(words.pop(), dry) : whole(words.pop(), dry);
    }

    private String whole(String snapshot, boolean dry) {
        Node sent = pool.require(snapshot);
        List<String> lines = new ArrayList<>(List.of("BEGIN " + head(snapshot, sent)));
        lines.addAll(files(sent));
        lines.add(END);
        String stream = String.join("\n", lines) + "\n";
        return dry ? "full\t" + snapshot + "\t" + stream.length() + "\nsize\t" + stream.length() + "\n" : stream;
    }

    private String rest(String token, boolean dry) {
        Token parsed = Token.read(token);
        Node named = pool.nodes.get(parsed.name());
        String snapshot = named != null && named.born() == parsed.guid()
                ? parsed.name()
                : pool.nodes.entrySet().stream()
                        .filter(entry -> entry.getValue().type().equals("snapshot")
                                && entry.getValue().born() == parsed.guid())
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow(() -> new Refused("cannot resume send: '" + parsed.name()
                                + (named == null
                                        ? "' used in the initial send no longer exists"
                                        : "' is no longer the same snapshot used in the initial send")));
        Node sent = pool.require(snapshot);
        List<String> lines = new ArrayList<>(List.of("RESUME " + head(snapshot, sent) + " " + parsed.lines()));
        lines.addAll(files(sent).stream().skip(parsed.lines()).toList());
        lines.add(END);
        String stream = String.join("\n", lines) + "\n";
        String size = lines.size() > 2 ? Integer.toString(stream.length()) : LESS_THAN_NOTHING;
        return dry
                ? "resume token contents:\nnvlist version: 0\n\tobject = 0x2\n\tbytes = 0x"
                        + Long.toHexString(parsed.lines() * 100L) + "\n\ttoname = " + parsed.name() + "\nfull\t"
                        + snapshot + "\t" + size + "\nsize\t" + size + "\n"
                : stream;
    }

    private String head(String snapshot, Node sent) {
        Node of = pool.require(FakeDatasets.above(snapshot));
        return String.join(
                " ",
                snapshot,
                Long.toString(sent.born()),
                of.type(),
                of.own().getOrDefault("volsize", "-"),
                of.own().getOrDefault("volblocksize", "-"));
    }

    private static List<String> files(Node node) {
        return node.files().entrySet().stream()
                .map(file -> "FILE " + encoded(file.getKey()) + " " + encoded(file.getValue()))
                .toList();
    }

    private static String encoded(String text) {
        return "." + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String word) {
        return new String(Base64.getDecoder().decode(word.substring(1)), StandardCharsets.UTF_8);
    }

    /** {@code zfs receive -s -o … snapshot} of what has come of a stream. */
    void receive(Map<String, String> options, String snapshot, String input) {
        String name = FakeDatasets.above(snapshot);
        List<String> lines = input.lines()
                .limit(input.chars().filter(c -> c == '\n').count())
                .toList();
        Node partial = pool.nodes.get(name);
        boolean resumes = !lines.isEmpty() && lines.getFirst().startsWith("RESUME ");
        if (lines.size() < 2
                || (!lines.get(1).startsWith("FILE") && !lines.getLast().equals(END))) {
            throw new Refused("cannot receive: failed to read from stream");
        }
        String[] head = lines.getFirst().split(" ", -1);
        if (resumes) {
            String token = partial == null ? "" : partial.own().getOrDefault(TOKEN, "");
            if (token.isEmpty() || Token.read(token).lines() != Integer.parseInt(head[6])) {
                throw new Refused(
                        "cannot receive resume stream: kernel modules must be upgraded to receive this stream.");
            }
        } else if (partial != null) {
            throw new Refused("cannot receive new filesystem stream: destination '" + name
                    + "' exists\nmust specify -F to overwrite it");
        } else if (!pool.nodes.containsKey(FakeDatasets.above(name))) {
            throw new Refused("cannot receive new filesystem stream: destination '" + FakeDatasets.above(name)
                    + "' does not exist");
        }
        Node made = partial != null ? partial : pool.node(head[3], "", new TreeMap<>());
        pool.nodes.put(name, made);
        Map<String, String> early = new TreeMap<>(options);
        early.keySet().removeAll(LATE);
        pool.copies().warned(name, early);
        for (String line : lines.subList(1, lines.size())) {
            if (line.startsWith("FILE ")) {
                String[] words = line.split(" ", -1);
                made.files().put(decoded(words[1]), decoded(words[2]));
            }
        }
        if (!lines.getLast().equals(END)) {
            made.own()
                    .put(TOKEN, new Token(Long.parseLong(head[2]), made.files().size(), head[1]).write());
            throw new Refused("cannot receive new filesystem stream: checksum mismatch or incomplete stream.\n"
                    + "Partially received snapshot is saved.");
        }
        made.own().remove(TOKEN);
        Map<String, String> late = new TreeMap<>(options);
        late.keySet().retainAll(LATE);
        pool.copies().warned(name, late);
        keep(made, "volsize", head[4]);
        keep(made, "volblocksize", head[5]);
        pool.nodes.put(snapshot, pool.node("snapshot", "", new TreeMap<>(made.files()), Long.parseLong(head[2])));
    }

    private static void keep(Node made, String key, String value) {
        if (!value.equals("-")) {
            made.own().put(key, value);
        }
    }

    String mount(String name) {
        if (pool.require(name).own().containsKey(TOKEN)) {
            throw new Refused("cannot mount '" + name + "': Contains partially-completed state");
        }
        return "";
    }

    String hold(String tag, String snapshot) {
        Node node = require("hold snapshot", snapshot);
        if (node.own().putIfAbsent(hold(tag), "") != null) {
            throw new Refused("cannot hold snapshot '" + snapshot + "': tag already exists on this dataset");
        }
        return "";
    }

    String release(String tag, String snapshot) {
        Node node = require("release hold from snapshot", snapshot);
        if (node.own().remove(hold(tag)) == null) {
            throw new Refused("cannot release hold from snapshot '" + snapshot + "': no such tag on this dataset");
        }
        if (node.own().containsKey("defer_destroy")
                && !isHeld(node)
                && pool.clones(snapshot).isEmpty()) {
            pool.nodes.remove(snapshot);
        }
        return "";
    }

    private Node require(String verb, String snapshot) {
        Node node = pool.nodes.get(snapshot);
        if (node == null) {
            throw new Refused("cannot " + verb + " '" + snapshot + "': dataset does not exist");
        }
        return node;
    }

    String holds(String snapshot) {
        return pool.require(snapshot).own().keySet().stream()
                .filter(key -> key.startsWith("hold "))
                .map(key -> snapshot + "\t" + key.substring("hold ".length()) + "\tSun Nov 22  6:00 2026\n")
                .collect(Collectors.joining());
    }

    private static String hold(String tag) {
        return "hold " + tag;
    }

    static boolean isHeld(Node node) {
        return refs(node) > 0;
    }

    static long refs(Node node) {
        return Long.parseLong(node.own().getOrDefault("userrefs", "0"))
                + node.own().keySet().stream()
                        .filter(key -> key.startsWith("hold "))
                        .count();
    }

    /** What a token says; a real one is as opaque and of the same letters. */
    record Token(long guid, int lines, String name) {
        String write() {
            return "1-" + Long.toHexString(guid) + "-" + Integer.toHexString(lines) + "-"
                    + HexFormat.of().formatHex(name.getBytes(StandardCharsets.UTF_8));
        }

        static Token read(String text) {
            String[] parts = text.split("-", -1);
            if (parts.length != 4) {
                throw new Refused("cannot resume send: resume token is corrupt (invalid format)");
            }
            return new Token(
                    Long.parseLong(parts[1], 16),
                    Integer.parseInt(parts[2], 16),
                    new String(HexFormat.of().parseHex(parts[3]), StandardCharsets.UTF_8));
        }
    }
}
