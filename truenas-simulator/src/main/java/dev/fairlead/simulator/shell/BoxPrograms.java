package dev.fairlead.simulator.shell;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.pool.DatasetView;
import dev.fairlead.simulator.pool.Zfs;
import dev.fairlead.simulator.pool.ZfsProperty;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Runs the programs of a box that drivers call over SSH: zfs, and those that change the root of a filesystem. */
public final class BoxPrograms {
    /** The names of them all, which stand before the machine's own on the path of a box's shell. */
    static final List<String> NAMES = List.of("zfs", "zpool", "chmod", "chown", "setfacl");

    private static final String MOUNTED = "/mnt/";

    private final Store store;
    private final ZfsProgram zfs;

    /** Makes them on a state. */
    public BoxPrograms(Store store, Clock clock) {
        this.store = store;
        this.zfs = new ZfsProgram(store, new Zfs(clock));
    }

    Printed run(String program, List<String> arguments, String input) {
        return switch (program) {
            case "zfs" -> zfs.run(arguments, input);
            case "zpool" -> store.read(tables -> pool(tables, arguments));
            case "chmod", "chown", "setfacl" -> store.change(tables -> permit(tables, program, arguments));
            default -> new Printed(127, "", program + ": not found\n");
        };
    }

    /** Prints a property of a pool; nothing else is asked of the program. */
    private static Printed pool(Tables tables, List<String> arguments) {
        if (arguments.size() != 6 || !arguments.subList(0, 4).equals(List.of("get", "-Hp", "-o", "value")))
            return new Printed(2, "", "zpool: only 'get -Hp -o value PROPERTY POOL' is simulated\n");
        String name = arguments.getLast();
        return tables.rows("pool").stream()
                .filter(row -> JsonTools.text(row, "name").equals(name))
                .map(row -> Printed.of(JsonTools.text(row, arguments.get(4)) + "\n"))
                .findFirst()
                .orElseGet(() -> Printed.failed("cannot open '" + name + "': no such pool"));
    }

    private static Printed permit(Tables tables, String program, List<String> arguments) {
        String path = arguments.getLast();
        Optional<JsonObject> found = path.startsWith(MOUNTED)
                ? tables.row(Zfs.DATASETS, path.substring(MOUNTED.length()))
                : Optional.empty();
        if (found.isEmpty())
            return Printed.failed(program + ": cannot access '" + path + "': No such file or directory");
        JsonObject row = found.get();
        JsonObject perm = JsonTools.child(row, "perm").deepCopy();
        switch (program) {
            case "chmod" -> {
                if (isRestricted(tables, row))
                    return Printed.failed("chmod: changing permissions of '" + path + "': Operation not permitted");
                perm.addProperty("mode", Integer.parseInt(arguments.getFirst(), 8));
            }
            case "chown" -> own(perm, arguments.getFirst());
            default -> perm.addProperty("acl", true);
        }
        tables.put(Zfs.DATASETS, path.substring(MOUNTED.length()), JsonTools.with(row, "perm", perm));
        return Printed.of("");
    }

    /** Says whether ZFS refuses a mode since the root has an access list that is more than one. */
    private static boolean isRestricted(Tables tables, JsonObject row) {
        String mode = ZfsProperty.ofZfs("aclmode")
                .map(property -> DatasetView.value(tables, JsonTools.text(row, "name"), property)
                        .raw())
                .orElse("");
        return JsonTools.flag(JsonTools.child(row, "perm"), "acl", false) && mode.equals("restricted");
    }

    private static void own(JsonObject perm, String owner) {
        String[] parts = owner.split(":", 2);
        if (!parts[0].isEmpty()) perm.addProperty("uid", id(parts[0]));
        if (parts.length > 1 && !parts[1].isEmpty()) perm.addProperty("gid", id(parts[1]));
    }

    private static long id(String text) {
        return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
    }
}
