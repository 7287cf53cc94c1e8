package dev.fairlead.adapter.freenas.nfs;

import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Describes an NFS share as the API answers it.
 *
 * @param paths what it shares: one path, or several on CORE
 * @param hosts who may mount it; together with no networks, an empty list is everybody
 * @param fields all its fields, as they were answered
 */
record NfsShareEntry(
        long id,
        List<String> paths,
        String comment,
        Set<String> hosts,
        Set<String> networks,
        boolean enabled,
        JsonObject fields) {
    static Optional<NfsShareEntry> read(JsonObject json) {
        List<String> paths = new ArrayList<>(Json.texts(json, "paths"));
        Json.text(json, "path").filter(path -> !paths.contains(path)).ifPresent(paths::add);
        return Json.number(json, "id")
                .map(id -> new NfsShareEntry(
                        id,
                        List.copyOf(paths),
                        Json.text(json, "comment").orElse(""),
                        new TreeSet<>(Json.texts(json, "hosts")),
                        new TreeSet<>(Json.texts(json, "networks")),
                        Json.flag(json, "enabled"),
                        json.deepCopy()));
    }

    /** Says whether it shares this path and no other one. */
    boolean isOnlyOf(String path) {
        return paths.equals(List.of(path));
    }

    /** Says whether exactly these hosts may mount it, and nobody else. */
    boolean letsInOnly(Set<String> wanted) {
        return wanted.isEmpty() ? !enabled : enabled && networks.isEmpty() && hosts.equals(wanted);
    }
}
