package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.settings.SnapshotMethod;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.IdPolicy;
import dev.fairlead.domain.volume.NativeId;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Makes and reads the ids of snapshots.
 *
 * <p>An id is {@code <volume id>-<name>}, which is democratic-csi's older form and the name of its folder. The newer
 * form of the same, {@code snapshot_driver=filecopy&snapshot_id=<id>}, is read but not used for new snapshots, since
 * behind a proxy it becomes longer than CSI allows.
 */
final class SnapshotIds {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_:.+-]+");
    private static final Pattern GROUP = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_:.+-]*");
    private static final String DRIVER = "snapshot_driver";
    private static final String ID = "snapshot_id";

    /** The least room for a name, in bytes; with less, a shortened one would be only a hash. */
    private static final int LEAST_NAME = 32;

    private static final int HASH = 26;

    /** The form of a text that {@link IdPolicy#shorten} has shortened. */
    private static final Pattern SHORTENED = Pattern.compile(".*--[0-9a-v]{" + HASH + "}");

    private SnapshotIds() {}

    /**
     * Returns the ids that a snapshot may have, the usual one first; the other is used if that one is taken by another
     * pair: {@code a-b} and {@code c} make the same id as {@code a} and {@code b-c}.
     */
    static List<String> candidates(NativeId source, CsiName name, int maxBytes) {
        String plain = plain(name);
        String apart = hash(source.value() + "/" + name.value()).substring(0, 8);
        return List.of(id(source, plain, maxBytes), id(source, apart + "-" + plain, maxBytes));
    }

    /** Returns the id of the group of a name; always the same one. */
    static NativeId group(CsiName name, int maxBytes) {
        String text = name.value();
        String plain =
                GROUP.matcher(text).matches() ? text : "g" + text.replaceAll("[^A-Za-z0-9]", "_") + "--" + hash(text);
        return new NativeId(IdPolicy.shorten(plain, Math.max(maxBytes, LEAST_NAME)));
    }

    private static String id(NativeId source, String name, int maxBytes) {
        int room = maxBytes - source.value().length() - 1;
        return room >= LEAST_NAME
                ? source.value() + "-" + IdPolicy.shorten(name, room)
                : IdPolicy.shorten(source.value() + "-" + name, Math.max(maxBytes, LEAST_NAME));
    }

    /** Returns a name for use in an id; one with other characters, which CSI allows, is made unique by a hash. */
    private static String plain(CsiName name) {
        String text = name.value();
        return NAME.matcher(text).matches() ? text : text.replaceAll("[^A-Za-z0-9]", "_") + "--" + hash(text);
    }

    private static String hash(String text) {
        String hashed = IdPolicy.shorten(text + "--" + "0".repeat(HASH), LEAST_NAME);
        return hashed.substring(hashed.length() - HASH);
    }

    /** Returns whether a snapshot of this id may have this name: a cheap check before its record is read. */
    static boolean mayBeNamed(String id, CsiName name) {
        return id.endsWith("-" + name.value()) || SHORTENED.matcher(id).matches();
    }

    /** Returns whether a snapshot of this id may be of this volume. */
    static boolean mayBeOf(String id, NativeId source) {
        return id.startsWith(source.value() + "-") || SHORTENED.matcher(id).matches();
    }

    /**
     * Returns the name of the folder that an id in either form means; empty if no snapshot here can have the id.
     *
     * @throws StorageException {@code Unsupported} for a snapshot that another of democratic-csi's drivers took
     */
    static Optional<String> folder(NativeId id, RecordedFolders snapshots) {
        String text = id.value();
        if (text.indexOf('=') < 0) {
            return Optional.of(text).filter(snapshots::accepts);
        }
        Map<String, String> parts = query(text);
        String driver = parts.getOrDefault(DRIVER, SnapshotMethod.FILECOPY);
        if (!driver.equals(SnapshotMethod.FILECOPY)) {
            throw SnapshotMethod.unsupported(driver);
        }
        return Optional.ofNullable(parts.get(ID)).filter(snapshots::accepts);
    }

    private static Map<String, String> query(String text) {
        Map<String, String> parts = new LinkedHashMap<>();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                parts.putIfAbsent(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
            }
        }
        return parts;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return ""; // an incomplete percent escape: no snapshot has such an id
        }
    }
}
