package dev.fairlead.simulator.block;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.encryption.LockedDatasets;
import dev.fairlead.simulator.engine.Attachments;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.RowMethods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Answers the methods of nvmet.namespace. */
public final class NamespaceMethods extends RowMethods {
    private final VolumeDevices volumes;

    /** Makes them on a state. */
    public NamespaceMethods(Store store, VolumeDevices volumes) {
        super(store, "nvmet.namespace", NvmeTables.NAMESPACES, "NVMetNamespace", "SHARING_NVME_TARGET");
        this.volumes = volumes;
    }

    /** Adds them, and that namespaces go before their volume. */
    public void addTo(Methods methods, Attachments attachments) {
        add(methods, (box, api) -> api.since(Profile.V25_10_0), "nvmet_namespace", "options");
        attachments.add((tables, dataset) -> tables.rows(NvmeTables.NAMESPACES).stream()
                .filter(row -> Attachments.isVolumeOf(row, "device_path", dataset))
                .forEach(row ->
                        tables.remove(NvmeTables.NAMESPACES, row.get("id").getAsLong())));
    }

    @Override
    protected JsonObject defaults(Tables tables, Call call) {
        return JsonTools.object(
                "id",
                0,
                "nsid",
                JsonNull.INSTANCE,
                "subsys_id",
                0,
                "device_type",
                "ZVOL",
                "device_path",
                "",
                "filesize",
                JsonNull.INSTANCE,
                "device_uuid",
                "",
                "device_nguid",
                "",
                "enabled",
                true,
                "locked",
                false);
    }

    @Override
    protected JsonObject stored(Tables tables, JsonObject row) {
        JsonObject stored = row.deepCopy();
        if (row.get("nsid").isJsonNull()) {
            Set<Long> taken =
                    NvmeTables.where(tables, NvmeTables.NAMESPACES, "subsys_id", JsonTools.number(row, "subsys_id", 0))
                            .stream()
                            .map(other -> JsonTools.number(other, "nsid", 0))
                            .collect(Collectors.toSet());
            long nsid = 1;
            while (taken.contains(nsid)) nsid++;
            stored.addProperty("nsid", nsid);
        }
        if (JsonTools.text(row, "device_uuid").isEmpty()) {
            stored.addProperty("device_uuid", UUID.randomUUID().toString());
            stored.addProperty("device_nguid", UUID.randomUUID().toString());
        }
        return stored;
    }

    @Override
    protected JsonObject shown(Tables tables, Call call, JsonObject row) {
        JsonObject shown =
                JsonTools.with(row, "locked", LockedDatasets.holdsPath(tables, JsonTools.text(row, "device_path")));
        shown.remove("subsys_id");
        if (call.api().since(Profile.V26_BETA)) { // both are of files
            shown.add("dataset", JsonNull.INSTANCE);
            shown.add("relative_path", JsonNull.INSTANCE);
        }
        shown.add(
                "subsys",
                tables.row(NvmeTables.SUBSYSTEMS, JsonTools.number(row, "subsys_id", 0))
                        .map(subsys -> SubsystemMethods.shown(tables, subsys, false))
                        .orElseGet(JsonObject::new));
        return shown;
    }

    @Override
    protected List<Violation> refused(Tables tables, Call call, JsonObject row, Optional<JsonObject> before) {
        String schema = before.isEmpty() ? "nvmet_namespace_create." : "nvmet_namespace_update.";
        List<Violation> refused = new ArrayList<>();
        long subsystem = JsonTools.number(row, "subsys_id", 0);
        if (tables.row(NvmeTables.SUBSYSTEMS, subsystem).isEmpty())
            refused.add(Violation.of(schema + "subsys_id", "No subsystem with ID " + subsystem));
        boolean taken = tables.rows(NvmeTables.NAMESPACES).stream()
                .anyMatch(other -> !other.get("id").equals(row.get("id"))
                        && !row.get("nsid").isJsonNull()
                        && JsonTools.number(other, "subsys_id", -1) == subsystem
                        && other.get("nsid").getAsLong() == row.get("nsid").getAsLong());
        if (taken)
            refused.add(Violation.of(
                    schema + "nsid",
                    "This record already exists (Subsystem ID: " + subsystem + "/NSID: " + row.get("nsid") + ")"));
        if (JsonTools.text(row, "device_type").equals("ZVOL")) pathViolations(tables, schema, row, refused);
        return refused;
    }

    private void pathViolations(Tables tables, String schema, JsonObject row, List<Violation> refused) {
        String path = JsonTools.text(row, "device_path");
        if (!path.startsWith("zvol/")) {
            refused.add(Violation.of(schema + "device_path", "ZVOL device_path must start with \"zvol/\": " + path));
            return;
        }
        if (!volumes.exists(tables, VolumeDevices.device(path)))
            refused.add(Violation.of(schema + "device_path", "ZVOL device_path must be a block device: " + path));
        VolumeDevices.namespace(tables, path)
                .filter(other -> !other.get("id").equals(row.get("id")))
                .ifPresent(other -> refused.add(Violation.of(
                        schema + "device_path",
                        "This device_path already used by subsystem: "
                                + tables.row(NvmeTables.SUBSYSTEMS, JsonTools.number(other, "subsys_id", 0))
                                        .map(subsys -> JsonTools.text(subsys, "name"))
                                        .orElse(""))));
        VolumeDevices.extent(tables, path)
                .ifPresent(other -> refused.add(Violation.of(
                        schema + "device_path",
                        "This device_path already used by iSCSI extent: " + JsonTools.text(other, "name"))));
    }
}
