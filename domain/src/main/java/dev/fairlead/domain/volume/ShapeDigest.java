package dev.fairlead.domain.volume;

import dev.fairlead.domain.digest.Digests;
import dev.fairlead.domain.parameters.ParameterScopes;
import java.util.HexFormat;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A digest stands for what shapes a volume and is noted with it at its creation, under {@link Notes#DIGEST}.
 *
 * <p>It covers the parameters, the access type, the file system and the content; not the size, which changes when a
 * volume is expanded, nor {@code csi.storage.k8s.io/*}, which names the claim, nor which connection a class asked for:
 * a class may be widened to more connections while its volumes stay what they are.
 *
 * @param value the canonical form's version and its SHA-256 in hex, {@code 1:9f86d0…}
 */
public record ShapeDigest(String value) {
    private static final String VERSION = "1:";

    /** Returns the digest of the volume that this request asks for. */
    public static ShapeDigest of(CreateRequest request) {
        var form = new StringBuilder();
        new TreeMap<>(request.parameters()).forEach((key, value) -> {
            if (shapes(key)) {
                append(form, "parameter", key);
                append(form, "value", value);
            }
        });
        accessTypes(request).forEach(type -> append(form, "access", type));
        append(form, "content", content(request.content()));
        return new ShapeDigest(VERSION + HexFormat.of().formatHex(Digests.sha256(form.toString())));
    }

    /** Says whether the two can be compared: a digest of another version of the canonical form says nothing. */
    public boolean comparableWith(ShapeDigest other) {
        return value.startsWith(VERSION) && other.value.startsWith(VERSION);
    }

    private static boolean shapes(String key) {
        return !key.startsWith("csi.storage.k8s.io/") && !ParameterScopes.CONNECTION_KEYS.contains(key);
    }

    private static SortedSet<String> accessTypes(CreateRequest request) {
        SortedSet<String> types = new TreeSet<>();
        for (VolumeCapability capability : request.capabilities()) {
            types.add(
                    switch (capability.access()) {
                        case VolumeCapability.Block() -> "block";
                        case VolumeCapability.Mount mounted -> "mount " + mounted.fsType();
                    });
        }
        return types;
    }

    private static String content(Content content) {
        return switch (content) {
            case Content.Empty() -> "empty";
            case Content.OfSnapshot(NativeId id) -> "snapshot " + id;
            case Content.OfVolume(NativeId id) -> "volume " + id;
            case Content.Transferred(Content.Kind kind, String handle) -> "transferred " + kind + " " + handle;
        };
    }

    /** Appends a text with its length before it, so that different texts never give the same form. */
    private static void append(StringBuilder form, String what, String text) {
        form.append(what)
                .append(' ')
                .append(text.length())
                .append(' ')
                .append(text)
                .append('\n');
    }

    @Override
    public String toString() {
        return value;
    }
}
