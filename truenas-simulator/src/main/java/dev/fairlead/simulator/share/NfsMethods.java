package dev.fairlead.simulator.share;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.encryption.LockedDatasets;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Attachments;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Answers the methods of sharing.nfs. */
public final class NfsMethods {
    static final String SHARES = "nfs_share";

    private final Store store;

    /** Makes them on a state. */
    public NfsMethods(Store store) {
        this.store = store;
    }

    /** Adds them, and that shares go before their dataset. */
    public void addTo(Methods methods, Attachments attachments) {
        methods.addQueries("sharing.nfs", "SHARING_NFS_READ", "SharingNFS", (box, api) -> true, this::rows);
        methods.add(Method.of("sharing.nfs.create", this::create)
                .roles("SHARING_NFS_WRITE")
                .takes("data"));
        methods.add(Method.of("sharing.nfs.update", this::update)
                .roles("SHARING_NFS_WRITE")
                .takes("id", "data"));
        methods.add(Method.of("sharing.nfs.delete", this::delete)
                .roles("SHARING_NFS_WRITE")
                .takes("id"));
        attachments.add((tables, dataset) -> tables.rows(SHARES).stream()
                .filter(row -> paths(row).stream().anyMatch(path -> Attachments.isOn(path, dataset)))
                .forEach(row -> tables.remove(SHARES, row.get("id").getAsLong())));
    }

    static List<String> paths(JsonObject row) {
        if (row.has("path")) return List.of(JsonTools.text(row, "path"));
        return JsonTools.list(row, "paths").asList().stream()
                .map(JsonElement::getAsString)
                .toList();
    }

    private List<JsonObject> rows(Call call) {
        return store.read(tables -> tables.rows(SHARES).stream()
                .map(row -> JsonTools.with(shown(call.api(), row), "locked", isLocked(tables, row)))
                .toList());
    }

    private static boolean isLocked(Tables tables, JsonObject row) {
        return paths(row).stream().anyMatch(path -> LockedDatasets.holdsPath(tables, path));
    }

    /** Shows a share in the attributes of a release; a box that was upgraded has turned its rows by then. */
    private static JsonObject shown(Profile api, JsonObject row) {
        JsonObject shown = row.deepCopy();
        if (api == Profile.CORE_13_0) {
            if (!shown.has("paths")) shown.add("paths", JsonTools.array(JsonTools.text(row, "path")));
            shown.remove("path");
            shown.remove("aliases");
            shown.remove("expose_snapshots");
            return shown;
        }
        if (!shown.has("path")) shown.addProperty("path", paths(row).getFirst());
        for (String old : List.of("paths", "alldirs", "quiet")) shown.remove(old);
        if (!api.since(Profile.V25_04)) shown.remove("expose_snapshots");
        if (api.since(Profile.V26_BETA)) {
            String path = JsonTools.text(shown, "path").replaceFirst("^/mnt/", "");
            shown.addProperty("dataset", path);
            shown.addProperty("relative_path", "");
            shown.add("tier", JsonNull.INSTANCE);
        }
        return shown;
    }

    private JsonElement create(Call call) {
        return store.change(tables -> {
            JsonObject row = JsonTools.merged(defaults(call.box()), call.object(0));
            row.addProperty("id", tables.nextId(SHARES));
            spellNetworks(call.box(), row);
            check(tables, call, "sharingnfs_create.", row);
            tables.put(SHARES, row);
            call.steps().end(); // the service is to load it next
            return shown(call.api(), row);
        });
    }

    /** Writes networks as a box keeps them since 25.04: the first address and the number of bits. */
    private static void spellNetworks(Profile box, JsonObject row) {
        if (!box.since(Profile.V25_04)) return;
        JsonArray networks = new JsonArray();
        JsonTools.list(row, "networks").forEach(each -> networks.add(spelled(each.getAsString())));
        row.add("networks", networks);
    }

    private static String spelled(String network) {
        int slash = network.indexOf('/');
        try {
            byte[] address = InetAddress.ofLiteral(slash < 0 ? network : network.substring(0, slash))
                    .getAddress();
            int bits = slash < 0 ? address.length * 8 : Integer.parseInt(network.substring(slash + 1));
            for (int bit = bits; bit < address.length * 8; bit++) address[bit / 8] &= (byte) ~(0x80 >> bit % 8);
            String first = InetAddress.getByAddress(address).getHostAddress();
            return first.replaceFirst("(^|:)0(:0)+(:|$)", "::") + "/" + bits;
        } catch (IllegalArgumentException | UnknownHostException e) {
            return network; // is none
        }
    }

    private static JsonObject defaults(Profile box) {
        JsonObject row = JsonTools.object(
                "id",
                0,
                "path",
                "",
                "aliases",
                new JsonArray(),
                "comment",
                "",
                "networks",
                new JsonArray(),
                "hosts",
                new JsonArray(),
                "ro",
                false,
                "maproot_user",
                JsonNull.INSTANCE,
                "maproot_group",
                JsonNull.INSTANCE,
                "mapall_user",
                JsonNull.INSTANCE,
                "mapall_group",
                JsonNull.INSTANCE,
                "security",
                new JsonArray(),
                "enabled",
                true,
                "locked",
                false,
                "expose_snapshots",
                false);
        if (box != Profile.CORE_13_0) return row;
        row.remove("path");
        row.add("paths", new JsonArray());
        row.addProperty("alldirs", false);
        row.addProperty("quiet", false);
        return row;
    }

    private JsonElement update(Call call) {
        return store.change(tables -> {
            JsonObject old = find(tables, call);
            JsonObject row = JsonTools.merged(old, call.object(1));
            spellNetworks(call.box(), row);
            check(tables, call, "sharingnfs_update.", row);
            tables.put(SHARES, row);
            call.steps().end();
            return shown(call.api(), row);
        });
    }

    private JsonElement delete(Call call) {
        store.update(tables -> {
            tables.remove(SHARES, find(tables, call).get("id").getAsLong());
            call.steps().end();
        });
        return new JsonPrimitive(true);
    }

    private static JsonObject find(Tables tables, Call call) {
        return tables.row(SHARES, call.number(0))
                .orElseThrow(() -> ApiFailure.absent("SharingNFS " + call.text(0) + " does not exist"));
    }

    private static void check(Tables tables, Call call, String schema, JsonObject row) {
        List<Violation> violations = new NfsRules(tables, call.box(), schema).of(row);
        if (!violations.isEmpty()) throw ApiFailure.invalid(violations);
    }
}
