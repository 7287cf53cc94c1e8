package dev.fairlead.domain.node;

import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes and reads the {@code node_id} of a node as democratic-csi spells it: {@code n=<node
 * name>/h=<hostname>/i<short>=<rest of the iqn>/v<short>=<rest of the nqn>}, each part only if it is known; Fairlead's
 * own part {@code a=<address>} is the last.
 *
 * <p>Initiators' names are long and a node_id is short, so both ends know a table of usual prefixes and write a short
 * name instead.
 */
public record NodeIdCodec(List<Prefix> iqnPrefixes, List<Prefix> nqnPrefixes) {
    /** The codec of node ids that carry neither initiator's name. */
    public static final NodeIdCodec PLAIN = new NodeIdCodec(List.of(), List.of());

    /** CSI's limit for a node_id. */
    public static final int MAX_BYTES = 256;

    /** The character that decoding puts in the place of bytes that are not text. */
    private static final int REPLACEMENT = 0xFFFD;

    public NodeIdCodec {
        iqnPrefixes = List.copyOf(iqnPrefixes);
        nqnPrefixes = List.copyOf(nqnPrefixes);
        requireDistinct("iqnPrefix", iqnPrefixes);
        requireDistinct("nqnPrefix", nqnPrefixes);
    }

    private static void requireDistinct(String table, List<Prefix> prefixes) {
        Set<String> seen = new HashSet<>();
        for (Prefix prefix : prefixes) {
            if (!seen.add(prefix.shortName())) {
                throw new IllegalArgumentException(
                        "nodeId." + table + ": shortName '" + prefix.shortName() + "' is given twice");
            }
        }
    }

    /** Returns the node_id of this node. */
    public String format(NodeIdentity node) {
        List<String> parts = new ArrayList<>();
        node.nodeName().ifPresent(name -> parts.add("n=" + plain("node name", name)));
        node.hostname().ifPresent(name -> parts.add("h=" + plain("hostname", name)));
        node.iqn().ifPresent(iqn -> parts.add("i" + compressed("iqn", iqn, iqnPrefixes)));
        node.nqn().ifPresent(nqn -> parts.add("v" + compressed("nqn", nqn, nqnPrefixes)));
        node.address().ifPresent(address -> parts.add("a=" + plain("address", address)));
        String id = String.join("/", parts);
        if (id.isEmpty()) {
            throw fault("nothing is known of this node that proxy.nodeId.parts asks for; set CSI_NODE_ID, or ask for"
                    + " other parts");
        }
        int bytes = id.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw fault("the node_id " + Excerpt.of(id) + " has " + bytes + " bytes (expected: at most " + MAX_BYTES
                    + "); ask for fewer proxy.nodeId.parts or add longer prefixes");
        }
        return id;
    }

    /** Reads a node_id; empty if it does not come from this codec or has an unknown short name. */
    public Optional<NodeIdentity> parse(String id) {
        Map<Character, String> parts = new TreeMap<>();
        for (String part : id.split("/", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1 || equals == part.length() - 1) {
                return Optional.empty();
            }
            char kind = part.charAt(0);
            String shortName = part.substring(1, equals);
            Optional<String> value = beginning(kind, shortName).map(start -> start + part.substring(equals + 1));
            if (value.isEmpty() || parts.putIfAbsent(kind, value.get()) != null) {
                return Optional.empty();
            }
        }
        return Optional.of(new NodeIdentity(
                Optional.ofNullable(parts.get('n')),
                Optional.ofNullable(parts.get('h')),
                Optional.ofNullable(parts.get('i')),
                Optional.ofNullable(parts.get('v')),
                Optional.ofNullable(parts.get('a'))));
    }

    /**
     * Returns the names by which the node may be remembered, the likelier first; empty if the id does not come from a
     * node. The other parts of the id are ignored: today's settings may lack their short names, and a node's access
     * must be revocable all the same.
     */
    public static List<String> names(String id) {
        List<String> parts = List.of(id.split("/", -1));
        return Stream.of("n=", "h=")
                .map(kind -> parts.stream()
                        .filter(part -> part.startsWith(kind) && part.length() > kind.length())
                        .toList())
                .filter(same -> same.size() == 1)
                .map(same -> same.getFirst().substring(2))
                .toList();
    }

    private Optional<String> beginning(char kind, String shortName) {
        return switch (kind) {
            case 'n', 'h', 'a' -> shortName.isEmpty() ? Optional.of("") : Optional.empty();
            case 'i' -> prefix(shortName, iqnPrefixes);
            case 'v' -> prefix(shortName, nqnPrefixes);
            default -> Optional.empty();
        };
    }

    private static Optional<String> prefix(String shortName, List<Prefix> prefixes) {
        return prefixes.stream()
                .filter(p -> p.shortName().equals(shortName))
                .map(Prefix::prefix)
                .findFirst();
    }

    private static String compressed(String what, String name, List<Prefix> prefixes) {
        Prefix longest = prefixes.stream()
                .filter(p -> name.startsWith(p.prefix())
                        && name.length() > p.prefix().length())
                .max(Comparator.comparingInt(p -> p.prefix().length()))
                .orElseThrow(() -> fault("no prefix is configured that the " + what + " " + Excerpt.of(name)
                        + " starts with; add one to proxy.nodeId." + what + "Prefix"));
        return longest.shortName() + "="
                + plain(what, name.substring(longest.prefix().length()));
    }

    /**
     * Returns the value, or throws if it is empty or holds a slash, which would end the part, a blank or a control
     * character. Such values come from files that are broken or hold something else.
     */
    private static String plain(String what, String value) {
        if (value.isEmpty() || value.codePoints().anyMatch(NodeIdCodec::isForeign)) {
            throw fault("the " + what + " " + Excerpt.of(value) + " is empty or holds a '/', a blank or a control"
                    + " character, which a node_id cannot carry; correct it where it is set, leave it out of"
                    + " proxy.nodeId.parts, or add a longer prefix");
        }
        return value;
    }

    private static boolean isForeign(int c) {
        return c == '/' || c == REPLACEMENT || Character.isISOControl(c) || Character.isWhitespace(c);
    }

    private static StorageException fault(String detail) {
        return new StorageException(new Failure.NodeFault("making this node's id", detail));
    }

    /** Maps a short name to the usual prefix of initiators' names that it stands for. */
    public record Prefix(String shortName, String prefix) {
        private static final Pattern SHORT_NAME = Pattern.compile("[0-9a-z]+");

        public Prefix {
            if (!SHORT_NAME.matcher(shortName).matches()) {
                throw new IllegalArgumentException(
                        "shortName: " + Excerpt.of(shortName) + " (expected: lower-case letters and digits)");
            }
            if (prefix.isEmpty()) {
                throw new IllegalArgumentException("prefix: is empty (expected: how initiator names begin)");
            }
        }
    }
}
