package dev.fairlead.simulator.pool;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.profile.Profile;
import java.util.Locale;

/** Makes a clone with the properties that a payload names by ZFS' own names; 26 drops those of users. */
final class Cloning {
    private Cloning() {}

    static void clone(Zfs zfs, Tables tables, Profile box, String snapshot, String name, JsonObject given) {
        JsonObject properties = new JsonObject();
        JsonObject user = new JsonObject();
        given.entrySet().forEach(each -> {
            if (each.getKey().contains(":"))
                user.addProperty(each.getKey(), each.getValue().getAsString());
            else properties.addProperty(each.getKey(), raw(each.getValue().getAsString()));
        });
        zfs.clone(tables, snapshot, name, properties, box.since(Profile.V26_BETA) ? new JsonObject() : user);
    }

    private static String raw(String value) {
        return value.equals("none") ? "0" : value.toLowerCase(Locale.ROOT);
    }
}
