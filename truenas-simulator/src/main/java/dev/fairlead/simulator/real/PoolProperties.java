package dev.fairlead.simulator.real;

import static dev.fairlead.simulator.real.HostShell.quoted;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.pool.Zfs;
import java.util.ArrayList;
import java.util.List;

/** Writes the properties of rows as words of the zfs command, and the permissions of roots as chown and chmod. */
final class PoolProperties {
    private static final int DEFAULT_MODE = 0x1ed;
    private static final int OPEN_MODE = 0x1ff;

    private PoolProperties() {}

    static List<String> options(JsonObject properties) {
        return properties.entrySet().stream()
                .map(each ->
                        " -o " + quoted(each.getKey() + "=" + each.getValue().getAsString()))
                .toList();
    }

    /** Returns the lines that make the properties and permissions of a dataset those of another row. */
    static List<String> changes(String name, JsonObject before, JsonObject after) {
        List<String> lines = new ArrayList<>();
        set(name, JsonTools.child(before, "props"), JsonTools.child(after, "props"), lines);
        set(name, JsonTools.child(before, "user"), JsonTools.child(after, "user"), lines);
        lines.addAll(permissions(name, before, after));
        boolean grown = !JsonTools.text(JsonTools.child(before, "props"), "volsize")
                .equals(JsonTools.text(JsonTools.child(after, "props"), "volsize"));
        // LIO asks the device itself; the NVMe target is told.
        if (grown)
            lines.add("for n in /sys/kernel/config/nvmet/subsystems/*/namespaces/*; do [ ! -e \"$n\" ] || [ \"$(cat"
                    + " \"$n/device_path\")\" != " + quoted("/dev/zvol/" + name.replace(' ', '+'))
                    + " ] || echo 1 > \"$n/revalidate_size\"; done");
        return lines;
    }

    static List<String> changesOfUsers(String name, JsonObject before, JsonObject after) {
        List<String> lines = new ArrayList<>();
        set(name, JsonTools.child(before, "user"), JsonTools.child(after, "user"), lines);
        return lines;
    }

    private static void set(String name, JsonObject before, JsonObject after, List<String> lines) {
        StringBuilder words = new StringBuilder();
        after.entrySet().stream()
                .filter(each -> !each.getValue().equals(before.get(each.getKey())))
                .forEach(each -> words.append(' ')
                        .append(quoted(each.getKey() + "=" + each.getValue().getAsString())));
        if (!words.isEmpty()) lines.add("zfs set" + words + " " + quoted(name));
        before.keySet().stream()
                .filter(key -> !after.has(key))
                .forEach(key -> lines.add("zfs inherit " + quoted(key) + " " + quoted(name)));
    }

    /**
     * Returns the lines that set owner and mode of a root. Access lists are not translated: it is open to all users
     * then.
     */
    static List<String> permissions(String name, JsonObject before, JsonObject after) {
        if (Zfs.volume(after)) return List.of();
        JsonObject was = JsonTools.child(before, "perm");
        JsonObject now = JsonTools.child(after, "perm");
        List<String> lines = new ArrayList<>();
        String root = quoted("/mnt/" + name);
        if (!owner(was).equals(owner(now))) lines.add("chown " + owner(now) + " " + root);
        if (mode(was) != mode(now)) lines.add(String.format("chmod %o %s", mode(now), root));
        return lines;
    }

    private static String owner(JsonObject perm) {
        return JsonTools.number(perm, "uid", 0) + ":" + JsonTools.number(perm, "gid", 0);
    }

    private static long mode(JsonObject perm) {
        return JsonTools.flag(perm, "acl", false) ? OPEN_MODE : JsonTools.number(perm, "mode", DEFAULT_MODE);
    }
}
