package dev.fairlead.simulator.engine;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.failure.CallSteps;
import dev.fairlead.simulator.failure.RowsRead;
import dev.fairlead.simulator.profile.Profile;

/**
 * One call of a method: the box's release, the release of the path's shapes, who calls, and with which arguments.
 *
 * @param steps counts its steps, and stops it between two of them
 * @param read counts what it reads of ZFS
 */
public record Call(
        Profile box, Profile api, Caller caller, String method, JsonArray params, CallSteps steps, RowsRead read) {
    /** Returns an argument by position, or null of JSON. */
    public JsonElement argument(int index) {
        return index < params.size() ? params.get(index) : JsonNull.INSTANCE;
    }

    /** Returns an argument that is an object, or an empty one. */
    public JsonObject object(int index) {
        JsonElement argument = argument(index);
        return argument.isJsonObject() ? argument.getAsJsonObject() : new JsonObject();
    }

    /** Returns an argument that is a list, or an empty one. */
    public JsonArray list(int index) {
        JsonElement argument = argument(index);
        return argument.isJsonArray() ? argument.getAsJsonArray() : new JsonArray();
    }

    /** Returns an argument that is a text or a number, as text. */
    public String text(int index) {
        JsonElement argument = argument(index);
        return argument.isJsonPrimitive() ? argument.getAsString() : "";
    }

    /** Returns an argument that is a number. */
    public long number(int index) {
        JsonElement argument = argument(index);
        return JsonTools.isNumber(argument) ? argument.getAsLong() : 0;
    }

    /** Returns an argument that is a switch. */
    public boolean flag(int index) {
        return argument(index).equals(new JsonPrimitive(true));
    }

    /** Returns the method's name with underscores, which begins the attributes that it refuses. */
    public String schema() {
        return method.replace('.', '_');
    }

    /** Makes the same call with other arguments. */
    public Call with(JsonArray others) {
        return new Call(box, api, caller, method, others, steps, read);
    }
}
