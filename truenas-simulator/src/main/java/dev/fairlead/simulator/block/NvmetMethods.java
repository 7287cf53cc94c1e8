package dev.fairlead.simulator.block;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Attachments;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.Filters;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.engine.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.List;

/** The methods of nvmet, which began with 25.10. */
public final class NvmetMethods {
    static final String SUBSYSTEMS = "nvmet_subsys";
    static final String NAMESPACES = "nvmet_namespace";
    static final String PORTS = "nvmet_port";
    static final String HOSTS = "nvmet_host";
    static final String VISIBLE = "nvmet_port_subsys";
    static final String ALLOWED = "nvmet_host_subsys";
    private static final String ROLE = "SHARING_NVME_TARGET";

    private final Store store;

    /** Makes them on a state. */
    public NvmetMethods(Store store) {
        this.store = store;
    }

    /** Adds them, and that namespaces go before their volume. */
    public void addTo(Methods methods, Attachments attachments) {
        methods.add(Method.of("nvmet.global.config", this::config)
                .roles(ROLE + "_READ")
                .when(NvmetMethods::offered));
        methods.add(Method.of(
                        "nvmet.global.sessions",
                        call -> Filters.answer(
                                store.read(tables -> tables.rows("nvmet_session")), call.list(0), call.object(1)))
                .roles(ROLE + "_READ")
                .takes("filters", "options")
                .when(NvmetMethods::offered));
        table(methods, "nvmet.subsys", SUBSYSTEMS, "NVMetSubsys", new Subsystems());
        table(methods, "nvmet.namespace", NAMESPACES, "NVMetNamespace", new Namespaces());
        table(methods, "nvmet.port", PORTS, "NVMetPort", new Ports());
        table(methods, "nvmet.host", HOSTS, "NVMetHost", new Hosts());
        table(methods, "nvmet.port_subsys", VISIBLE, "NVMetPortSubsys", new Links("port", PORTS, "port_id"));
        table(methods, "nvmet.host_subsys", ALLOWED, "NVMetHostSubsys", new Links("host", HOSTS, "host_id"));
        attachments.add((tables, dataset) -> tables.rows(NAMESPACES).stream()
                .filter(row -> Attachments.isVolumeOf(row, "device_path", dataset))
                .forEach(row -> tables.remove(NAMESPACES, JsonTools.number(row, "id", 0))));
    }

    private void table(Methods methods, String namespace, String table, String singular, BlockTable.Kind kind) {
        new BlockTable(store, namespace, table, singular, kind).addTo(methods, ROLE, NvmetMethods::offered, "id", "options");
    }

    private static boolean offered(Profile box, Profile api) {
        return box.since(Profile.V25_10_0) && api.since(Profile.V25_10_0);
    }

    private JsonElement config(Call call) {
        return store.read(tables -> tables.row("nvmet_global", "config").orElseThrow());
    }

    private static List<JsonObject> of(Tables tables, String table, String member, JsonObject row) {
        return tables.rows(table).stream()
                .filter(each -> JsonTools.number(each, member, -1) == JsonTools.number(row, "id", 0))
                .toList();
    }

    private static void remove(Tables tables, String table, List<JsonObject> rows) {
        rows.forEach(row -> tables.remove(table, JsonTools.number(row, "id", 0)));
    }

    private static boolean force(Call call) {
        return JsonTools.flag(call.object(1), "force", false);
    }

    /** Subsystems, each with its name. */
    private static final class Subsystems implements BlockTable.Kind {
        @Override
        public JsonObject defaults(Tables tables, Call call) {
            return JsonTools.object(
                    "subnqn",
                    JsonNull.INSTANCE,
                    "serial",
                    "%020x".formatted(tables.nextId("nvmet_serial")),
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
        public void check(Tables tables, Call call, JsonObject row, List<Violation> violations) {
            if (BlockTable.taken(tables, SUBSYSTEMS, row, "name"))
                violations.add(Violation.of(call.schema() + ".name", "Object with this name already exists"));
            if (JsonTools.at(row, "subnqn").isEmpty()) {
                String base = JsonTools.text(tables.row("nvmet_global", "config").orElseThrow(), "basenqn");
                String whole = base + ":" + JsonTools.text(row, "name");
                row.addProperty("subnqn", whole.substring(0, Math.min(223, whole.length())));
            }
        }

        @Override
        public void release(Tables tables, Call call, JsonObject row) {
            List<JsonObject> namespaces = of(tables, NAMESPACES, "subsys_id", row);
            List<JsonObject> ports = of(tables, VISIBLE, "subsys_id", row);
            String name = "Subsystem " + JsonTools.text(row, "name");
            String schema = call.schema() + ".id";
            if (!force(call) && !namespaces.isEmpty())
                throw ApiFailure.invalid(
                        schema,
                        name + " contains " + namespaces.size() + " namespace"
                                + (namespaces.size() == 1 ? "" : "s") + ": "
                                + JsonTools.number(namespaces.getFirst(), "nsid", 0));
            if (!force(call) && !ports.isEmpty())
                throw ApiFailure.invalid(schema, name + " visible on " + ports.size() + " ports");
            remove(tables, NAMESPACES, namespaces);
            remove(tables, VISIBLE, ports);
            remove(tables, ALLOWED, of(tables, ALLOWED, "subsys_id", row));
        }
    }

    /** The volumes in subsystems. */
    private static final class Namespaces implements BlockTable.Kind {
        @Override
        public JsonObject defaults(Tables tables, Call call) {
            long number = tables.nextId("nvmet_uuid");
            return JsonTools.object(
                    "nsid",
                    JsonNull.INSTANCE,
                    "filesize",
                    JsonNull.INSTANCE,
                    "device_uuid",
                    "00000000-0000-4000-8000-%012x".formatted(number),
                    "device_nguid",
                    "00000000-0000-4000-9000-%012x".formatted(number),
                    "enabled",
                    true,
                    "locked",
                    false);
        }

        @Override
        public void check(Tables tables, Call call, JsonObject row, List<Violation> violations) {
            String schema = call.schema() + ".";
            long subsystem = JsonTools.number(row, "subsys_id", 0);
            if (tables.row(SUBSYSTEMS, subsystem).isEmpty())
                violations.add(Violation.of(schema + "subsys_id", "No subsystem with ID " + subsystem));
            String path = JsonTools.text(row, "device_path");
            if (!path.startsWith("zvol/"))
                violations.add(Violation.of(
                        schema + "device_path", "ZVOL device_path must start with \"zvol/\": " + path));
            else if (ExtentTable.volume(tables, path).isPresent())
                violations.add(
                        Violation.of(schema + "device_path", "ZVOL device_path must be a block device: " + path));
            tables.rows(NAMESPACES).stream()
                    .filter(other -> JsonTools.number(other, "id", 0) != JsonTools.number(row, "id", 0))
                    .filter(other -> JsonTools.text(other, "device_path").equals(path))
                    .forEach(other -> violations.add(Violation.of(
                            schema + "device_path",
                            "This device_path already used by subsystem: "
                                    + JsonTools.text(
                                            BlockTable.named(tables, SUBSYSTEMS, other, "subsys_id"), "name"))));
            tables.rows(ExtentTable.EXTENTS).stream()
                    .filter(other -> JsonTools.text(other, "disk").equals(path))
                    .forEach(other -> violations.add(Violation.of(
                            schema + "device_path",
                            "This device_path already used by iSCSI extent: " + JsonTools.text(other, "name"))));
            number(tables, schema, row, violations);
        }

        private static void number(Tables tables, String schema, JsonObject row, List<Violation> violations) {
            long subsystem = JsonTools.number(row, "subsys_id", 0);
            List<Long> taken = tables.rows(NAMESPACES).stream()
                    .filter(other -> JsonTools.number(other, "id", 0) != JsonTools.number(row, "id", 0))
                    .filter(other -> JsonTools.number(other, "subsys_id", -1) == subsystem)
                    .map(other -> JsonTools.number(other, "nsid", 0))
                    .toList();
            if (JsonTools.at(row, "nsid").isEmpty()) {
                long free = 1;
                while (taken.contains(free)) free++;
                row.addProperty("nsid", free);
            } else if (taken.contains(JsonTools.number(row, "nsid", 0)))
                violations.add(Violation.of(
                        schema + "nsid",
                        "This record already exists (Subsystem ID: " + subsystem + "/NSID: "
                                + JsonTools.number(row, "nsid", 0) + ")"));
        }

        @Override
        public JsonObject shown(Tables tables, Call call, JsonObject row) {
            JsonObject shown = row.deepCopy();
            shown.remove("subsys_id");
            return JsonTools.with(shown, "subsys", BlockTable.named(tables, SUBSYSTEMS, row, "subsys_id"));
        }
    }

    /** The addresses at which subsystems are visible. */
    private static final class Ports implements BlockTable.Kind {
        @Override
        public JsonObject defaults(Tables tables, Call call) {
            return JsonTools.object(
                    "index", tables.rows(PORTS).size() + 1, "addr_trsvcid", 4420, "addr_adrfam", "IPV4", "enabled", true);
        }

        @Override
        public void check(Tables tables, Call call, JsonObject row, List<Violation> violations) {
            // two ports of one address are a mistake of the test
        }
    }

    /** The hosts that are known, with their keys. */
    private static final class Hosts implements BlockTable.Kind {
        @Override
        public JsonObject defaults(Tables tables, Call call) {
            return JsonTools.object(
                    "dhchap_key",
                    JsonNull.INSTANCE,
                    "dhchap_ctrl_key",
                    JsonNull.INSTANCE,
                    "dhchap_dhgroup",
                    JsonNull.INSTANCE,
                    "dhchap_hash",
                    "SHA-256");
        }

        @Override
        public void check(Tables tables, Call call, JsonObject row, List<Violation> violations) {
            if (BlockTable.taken(tables, HOSTS, row, "hostnqn"))
                violations.add(Violation.of(call.schema() + ".hostnqn", "Object with this hostnqn already exists"));
        }

        @Override
        public void release(Tables tables, Call call, JsonObject row) {
            List<JsonObject> links = of(tables, ALLOWED, "host_id", row);
            if (!links.isEmpty() && !force(call))
                throw ApiFailure.invalid(
                        call.schema() + ".id",
                        "Host " + JsonTools.text(row, "hostnqn") + " used by " + links.size() + " subsystems");
            remove(tables, ALLOWED, links);
        }
    }

    /** Which port shows a subsystem, or which host it lets in. */
    private record Links(String side, String table, String member) implements BlockTable.Kind {
        @Override
        public JsonObject defaults(Tables tables, Call call) {
            return new JsonObject();
        }

        @Override
        public void check(Tables tables, Call call, JsonObject row, List<Violation> violations) {
            String schema = call.schema() + ".";
            JsonElement one = new JsonPrimitive(JsonTools.number(row, member, 0));
            JsonElement subsystem = new JsonPrimitive(JsonTools.number(row, "subsys_id", 0));
            if (tables.row(table, one.getAsLong()).isEmpty())
                violations.add(Violation.of(schema + member, "No " + side + " with ID " + one));
            if (tables.row(SUBSYSTEMS, subsystem.getAsLong()).isEmpty())
                violations.add(Violation.of(schema + "subsys_id", "No subsystem with ID " + subsystem));
            String links = side.equals("port") ? VISIBLE : ALLOWED;
            if (tables.rows(links).stream()
                    .filter(other -> JsonTools.number(other, "id", 0) != JsonTools.number(row, "id", 0))
                    .anyMatch(other -> JsonTools.number(other, member, 0) == one.getAsLong()
                            && JsonTools.number(other, "subsys_id", 0) == subsystem.getAsLong()))
                violations.add(Violation.of(
                        schema + member,
                        "This record already exists (Host ID: " + one + "/Subsystem ID: " + subsystem + ")"));
        }

        @Override
        public JsonObject shown(Tables tables, Call call, JsonObject row) {
            return JsonTools.object(
                    "id",
                    row.get("id"),
                    side,
                    BlockTable.named(tables, table, row, member),
                    "subsys",
                    BlockTable.named(tables, SUBSYSTEMS, row, "subsys_id"));
        }
    }
}
