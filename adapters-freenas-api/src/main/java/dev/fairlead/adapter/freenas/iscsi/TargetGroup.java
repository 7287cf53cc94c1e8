package dev.fairlead.adapter.freenas.iscsi;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.http.Json;
import java.util.Optional;

/**
 * Says by which portal group a target is reached, by whom, and with which credentials.
 *
 * @param portal the number of the portal group
 * @param initiator the number of the group of initiators; empty for everybody
 * @param method {@code NONE}, {@code CHAP} or {@code CHAP_MUTUAL}
 * @param credentials the tag of the credentials, which the box alone knows
 */
record TargetGroup(long portal, Optional<Long> initiator, String method, Optional<Long> credentials) {
    static final String NONE = "NONE";

    /** Reads a group of a target that the box shows. */
    static TargetGroup read(JsonObject json) {
        return new TargetGroup(
                Json.number(json, "portal").orElse(0L),
                Json.number(json, "initiator").filter(number -> number > 0),
                Json.text(json, "authmethod").orElse(NONE),
                Json.number(json, "auth").filter(number -> number > 0));
    }

    boolean asksChap() {
        return !method.equals(NONE);
    }

    /** Says whether this is the way of one group of initiators. */
    boolean isFor(long group) {
        return initiator.filter(id -> id == group).isPresent();
    }

    /** Returns the same way for this group of initiators alone. */
    TargetGroup onlyFor(long group) {
        return new TargetGroup(portal, Optional.of(group), method, credentials);
    }

    JsonObject json() {
        var json = new JsonObject();
        json.addProperty("portal", portal);
        json.add("initiator", number(initiator));
        json.addProperty("authmethod", method);
        json.add("auth", number(credentials));
        return json;
    }

    private static JsonElement number(Optional<Long> value) {
        return value.<JsonElement>map(JsonPrimitive::new).orElse(JsonNull.INSTANCE);
    }
}
