package dev.fairlead.simulator.block;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.RowMethods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Answers the methods of nvmet.subsys. */
public final class SubsystemMethods extends RowMethods {
    private static final int LONGEST_NAME = 223;

    /** Makes them on a state. */
    public SubsystemMethods(Store store) {
        super(store, "nvmet.subsys", NvmeTables.SUBSYSTEMS, "NVMetSubsys", "SHARING_NVME_TARGET");
    }

    /** Adds them. */
    public void addTo(Methods methods) {
        add(methods, (box, api) -> api.since(Profile.V25_10_0), "nvmet_subsys", "options");
    }

    @Override
    protected JsonObject defaults(Tables tables, Call call) {
        return JsonTools.object(
                "id",
                0,
                "name",
                "",
                "subnqn",
                JsonNull.INSTANCE,
                "serial",
                "",
                "allow_any_host",
                false,
                "pi_enable",
                JsonNull.INSTANCE,
                "qid_max",
                JsonNull.INSTANCE,
                "ieee_oui",
                JsonNull.INSTANCE,
                "ana",
                JsonNull.INSTANCE);
    }

    @Override
    protected JsonObject stored(Tables tables, JsonObject row) {
        JsonObject stored = row.deepCopy();
        if (JsonTools.text(row, "subnqn").isEmpty()) {
            String base = JsonTools.text(tables.row("nvmet_global", "config").orElseThrow(), "basenqn");
            String name = base + ":" + JsonTools.text(row, "name");
            stored.addProperty("subnqn", name.substring(0, Math.min(name.length(), LONGEST_NAME)));
        }
        if (JsonTools.text(row, "serial").isEmpty())
            stored.addProperty(
                    "serial",
                    String.format(
                            Locale.ROOT, "%020x", 0xabcdef00L + row.get("id").getAsLong()));
        return stored;
    }

    @Override
    protected JsonObject shown(Tables tables, Call call, JsonObject row) {
        JsonObject extra = JsonTools.child(call.object(call.method().endsWith("create") ? 0 : 1), "extra");
        return shown(tables, row, JsonTools.flag(extra, "verbose", false));
    }

    static JsonObject shown(Tables tables, JsonObject row, boolean verbose) {
        long id = row.get("id").getAsLong();
        JsonObject shown = row.deepCopy();
        if (!verbose) {
            for (String list : List.of("hosts", "namespaces", "ports")) shown.add(list, JsonNull.INSTANCE);
            return shown;
        }
        shown.add(
                "hosts",
                JsonTools.of(NvmeTables.where(tables, NvmeTables.HOST_LINKS, "subsys_id", id).stream()
                        .map(link -> link.get("host_id"))
                        .toList()));
        shown.add(
                "namespaces",
                JsonTools.of(NvmeTables.ids(NvmeTables.where(tables, NvmeTables.NAMESPACES, "subsys_id", id))));
        shown.add(
                "ports",
                JsonTools.of(NvmeTables.where(tables, NvmeTables.PORT_LINKS, "subsys_id", id).stream()
                        .map(link -> link.get("port_id"))
                        .toList()));
        return shown;
    }

    @Override
    protected List<Violation> refused(Tables tables, Call call, JsonObject row, Optional<JsonObject> before) {
        String schema = before.isEmpty() ? "nvmet_subsys_create." : "nvmet_subsys_update.";
        if (taken(tables, row, "name"))
            return List.of(Violation.of(schema + "name", "Object with this name already exists"));
        boolean linked = !NvmeTables.where(
                        tables,
                        NvmeTables.HOST_LINKS,
                        "subsys_id",
                        row.get("id").getAsLong())
                .isEmpty();
        boolean switched = before.filter(old -> !old.get("allow_any_host").equals(row.get("allow_any_host")))
                .isPresent();
        return linked && switched && call.box().before(Profile.V26)
                ? List.of(
                        Violation.of(schema + "allow_any_host", "Cannot change allow_any_host while hosts are linked."))
                : List.of();
    }

    @Override
    protected void removing(Tables tables, Call call, JsonObject row) {
        long id = row.get("id").getAsLong();
        String name = JsonTools.text(row, "name");
        List<Long> namespaces = NvmeTables.ids(NvmeTables.where(tables, NvmeTables.NAMESPACES, "subsys_id", id));
        List<Long> ports = NvmeTables.ids(NvmeTables.where(tables, NvmeTables.PORT_LINKS, "subsys_id", id));
        if (!JsonTools.flag(call.object(1), "force", false)) {
            String listed = namespaces.stream().map(String::valueOf).collect(Collectors.joining(","));
            if (namespaces.size() == 1) throw refusal("Subsystem " + name + " contains 1 namespace: " + listed);
            if (!namespaces.isEmpty())
                throw refusal("Subsystem " + name + " contains " + namespaces.size() + " namespaces: " + listed);
            if (!ports.isEmpty()) throw refusal("Subsystem " + name + " visible on " + ports.size() + " ports");
        }
        namespaces.forEach(each -> {
            tables.remove(NvmeTables.NAMESPACES, each);
            call.steps().endLoaded();
        });
        ports.forEach(each -> {
            tables.remove(NvmeTables.PORT_LINKS, each);
            call.steps().endLoaded();
        });
        NvmeTables.where(tables, NvmeTables.HOST_LINKS, "subsys_id", id).forEach(link -> {
            tables.remove(NvmeTables.HOST_LINKS, link.get("id").getAsLong());
            call.steps().endLoaded();
        });
    }

    private static ApiFailure refusal(String text) {
        return ApiFailure.invalid("nvmet_subsys_delete.id", text);
    }
}
