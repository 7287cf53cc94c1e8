package dev.fairlead.domain.access;

import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.volume.AccessMode;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A grant says which node a volume is published to, and how.
 *
 * @param node the node's name, since a revoke has to work if the node is gone or its initiator has another name by now
 * @param initiator the name that the storage admits: an address, an iSCSI initiator's name or an NVMe host's name
 * @param block whether the volume is published as a raw device
 */
public record Grant(String node, String initiator, boolean readonly, AccessMode mode, boolean block) {
    /** The form of a name: a list of grants can be split, and no character has a special meaning to a storage. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:%-]{0,252}");

    public Grant {
        require("node", node);
        require("initiator", initiator);
    }

    private static void require(String key, String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    key + ": " + Excerpt.of(name) + " (expected: letters, digits and . _ : % -)");
        }
    }

    /** Says whether a node or an initiator may have this name. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /**
     * Returns how this grant differs from another one for the same node; empty if only the initiators differ, or
     * nothing.
     */
    public Optional<String> difference(Grant other) {
        if (readonly != other.readonly) {
            return Optional.of("it is published " + (readonly ? "readonly" : "for writing"));
        }
        if (mode != other.mode) {
            return Optional.of("it is published as " + mode);
        }
        return block == other.block
                ? Optional.empty()
                : Optional.of("it is published as a " + (block ? "raw device" : "file system"));
    }

    /** Says whether no other node may have the volume at the same time. */
    public boolean isExclusive() {
        return switch (mode) {
            case SINGLE_NODE_WRITER, SINGLE_NODE_READER_ONLY, SINGLE_NODE_SINGLE_WRITER, SINGLE_NODE_MULTI_WRITER ->
                true;
            case UNKNOWN, MULTI_NODE_READER_ONLY, MULTI_NODE_SINGLE_WRITER, MULTI_NODE_MULTI_WRITER -> false;
        };
    }

    /** Returns the grant as five words, one for each part. */
    String text() {
        return String.join(" ", node, initiator, readonly ? "ro" : "rw", mode.name(), block ? "block" : "mount");
    }

    static Optional<Grant> parse(String text) {
        String[] words = text.split(" ", -1);
        boolean whole = words.length == 5
                && isName(words[0])
                && isName(words[1])
                && (words[2].equals("ro") || words[2].equals("rw"))
                && Arrays.stream(AccessMode.values())
                        .anyMatch(mode -> mode.name().equals(words[3]))
                && (words[4].equals("block") || words[4].equals("mount"));
        return whole
                ? Optional.of(new Grant(
                        words[0],
                        words[1],
                        words[2].equals("ro"),
                        AccessMode.valueOf(words[3]),
                        words[4].equals("block")))
                : Optional.empty();
    }
}
