package dev.fairlead.adapter.freenas.smb;

import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Describes a share as the API answers it, in the form of whichever release.
 *
 * @param purpose since 25.10; empty up to then
 * @param allowed the hosts that may reach it; everybody, if there is none
 * @param denied the hosts that may not
 * @param options since 25.10 the options of its purpose; up to then all fields
 * @param fields all fields
 */
record SmbShareEntry(
        long id,
        String name,
        String path,
        boolean enabled,
        String purpose,
        Set<String> allowed,
        Set<String> denied,
        JsonObject options,
        JsonObject fields) {
    private static final String OPTIONS = "options";

    static Optional<SmbShareEntry> read(JsonObject json) {
        JsonObject options = json.has(OPTIONS) ? Json.child(json, OPTIONS) : json;
        return Json.number(json, "id")
                .map(id -> new SmbShareEntry(
                        id,
                        Json.text(json, "name").orElse(""),
                        Json.text(json, "path").orElse(""),
                        Json.flag(json, "enabled"),
                        json.has(OPTIONS) ? Json.text(json, "purpose").orElse("") : "",
                        new TreeSet<>(Json.texts(options, SmbShareFields.ALLOWED)),
                        new TreeSet<>(Json.texts(options, SmbShareFields.DENIED)),
                        options,
                        json));
    }

    /** Says whether exactly these hosts may reach it. A list of denied hosts beside them would let others in. */
    boolean letsInOnly(Set<String> hosts) {
        return hosts.isEmpty() ? !enabled : enabled && allowed.equals(hosts) && denied.isEmpty();
    }
}
