package dev.fairlead.domain.volume;

import dev.fairlead.domain.digest.Digests;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.template.Template;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Makes the id of a new volume from its CSI name: through {@code _private.csi.volume.idTemplate} and {@code idHash} as
 * democratic-csi applies them, then shortened if the handles would grow over CSI's 128 bytes.
 *
 * @param template the template of the id, rendered with {@code name} and {@code parameters}
 */
public record IdPolicy(Optional<Template> template, IdHash hash) {
    /** The policy by which the name is the id. */
    public static final IdPolicy DEFAULT = new IdPolicy(Optional.empty(), IdHash.NONE);

    /** The greatest length of a handle in bytes that CSI allows. */
    public static final int MAX_HANDLE_BYTES = 128;

    /**
     * The bytes kept for what a snapshot's id adds to its volume's: a separator and {@code snapshot-<uuid>}, with one
     * to spare.
     */
    public static final int SNAPSHOT_BYTES = 47;

    /** The fewest bytes that a snapshot's id adds to its volume's: a separator, and a name that is not all hash. */
    private static final int LEAST_SNAPSHOT_BYTES = 33;

    /**
     * The fewest bytes to which an id is cut: those of {@code pvc-<uuid>}, even if the connection's name is very long.
     */
    private static final int MIN_ID_BYTES = 40;

    private static final int MAX_ID_CHARS = 128;
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*");

    /** The mark before the hash of 128 bits in base 32 that ends a shortened id. */
    private static final String HASH_MARK = "--";

    private static final int HASH_CHARS = 26;
    private static final Pattern SHORTENED = Pattern.compile(".+--[0-9a-v]{26}", Pattern.DOTALL);

    /**
     * Returns the id of the volume of this name; always the same for the same name and parameters.
     *
     * @param handleOverhead bytes that a handle of this connection has before the id
     */
    public NativeId idFor(CsiName name, Map<String, String> parameters, int handleOverhead) {
        int room = MAX_HANDLE_BYTES - SNAPSHOT_BYTES - handleOverhead;
        return new NativeId(shorten(whole(name, parameters), Math.max(room, MIN_ID_BYTES)));
    }

    /**
     * Returns the id that democratic-csi gives to the volume of this name, which leaves no room for snapshots; empty if
     * it is the same as that of {@link #idFor}.
     */
    public Optional<NativeId> peersIdFor(CsiName name, Map<String, String> parameters, int handleOverhead) {
        NativeId whole = new NativeId(whole(name, parameters));
        return Optional.of(whole).filter(id -> !id.equals(idFor(name, parameters, handleOverhead)));
    }

    private String whole(CsiName name, Map<String, String> parameters) {
        String id = hash.of(templated(name, parameters));
        refusal(id).ifPresent(why -> {
            throw refused(why);
        });
        return id;
    }

    /**
     * Returns the greatest length in bytes that the id of a snapshot, or of a group of them, may have in a handle
     * within CSI's limit. If a connection's name is too long for that, returns what snapshots of the shortest cut ids
     * need at least.
     *
     * @param handleOverhead bytes that a handle of this connection has before the id
     */
    public static int maxSnapshotIdBytes(int handleOverhead) {
        return Math.max(MAX_HANDLE_BYTES - handleOverhead, MIN_ID_BYTES + LEAST_SNAPSHOT_BYTES);
    }

    /**
     * Returns the id if it is short enough; else its beginning and a hash of all of it.
     *
     * <p>Distinct ids stay distinct: one that merely looks like a shortened one is shortened too.
     *
     * @param maxBytes at least 32
     */
    public static String shorten(String id, int maxBytes) {
        if (maxBytes < 32) {
            throw new IllegalArgumentException("maxBytes: " + maxBytes + " (expected: 32 or more)");
        }
        if (bytes(id) <= maxBytes && !SHORTENED.matcher(id).matches()) {
            return id;
        }
        int room = maxBytes - HASH_MARK.length() - HASH_CHARS;
        String start = id;
        while (bytes(start) > room) {
            start = start.substring(0, start.offsetByCodePoints(start.length(), -1));
        }
        return start + HASH_MARK + hash128(id);
    }

    private String templated(CsiName name, Map<String, String> parameters) {
        return template.map(t -> t.render(Map.of("name", name.value(), "parameters", parameters)))
                .orElse(name.value());
    }

    private static Optional<String> refusal(String id) {
        if (id.isEmpty()) {
            return Optional.of("is empty");
        }
        if (id.length() > MAX_ID_CHARS) {
            return Optional.of("is " + id.length() + " characters long: " + Excerpt.of(id));
        }
        return FORM.matcher(id).matches() ? Optional.empty() : Optional.of("is " + Excerpt.of(id));
    }

    private StorageException refused(String why) {
        String maker = template.isPresent()
                ? "idTemplate " + Excerpt.of(template.get().source()) + " makes of it"
                : "this connection makes of it";
        return new StorageException(new Failure.InvalidRequest(
                "name",
                "the volume id that " + maker + " " + why
                        + " (expected: 1 to 128 of A-Z, a-z, 0-9, '_' and '-', the first a letter or digit);"
                        + " let the caller choose plainer names, or set _private.csi.volume.idHash: md5"
                        + " in the connection's file"
                        + (template.isPresent() ? " or mend its idTemplate" : "")));
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String hash128(String text) {
        String digits = new BigInteger(1, Arrays.copyOf(Digests.sha256(text), 16)).toString(32);
        return "0".repeat(HASH_CHARS - digits.length()) + digits;
    }
}
