package dev.fairlead.simulator.block;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.encryption.LockedDatasets;
import dev.fairlead.simulator.engine.ApiFailure;
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
import java.util.Locale;
import java.util.Optional;

/** Answers the methods of iscsi.extent. */
public final class ExtentMethods extends RowMethods {
    static final String EXTENTS = "iscsi_extent";

    private final VolumeDevices volumes;

    /** Makes them on a state. */
    public ExtentMethods(Store store, VolumeDevices volumes) {
        super(store, "iscsi.extent", EXTENTS, "iSCSITargetExtent", "SHARING_ISCSI_EXTENT");
        this.volumes = volumes;
    }

    /** Adds them, and that extents go before their volume, with their target where it has no other. */
    public void addTo(Methods methods, Attachments attachments) {
        add(methods, (box, api) -> true, "iscsi_extent", "remove", "force");
        attachments.add((tables, dataset) -> tables.rows(EXTENTS).stream()
                .filter(row -> Attachments.isVolumeOf(row, "disk", dataset))
                .forEach(row -> release(tables, row)));
    }

    private static void release(Tables tables, JsonObject extent) {
        long id = extent.get("id").getAsLong();
        for (JsonObject link : NvmeTables.where(tables, LinkMethods.LINKS, "extent", id)) {
            tables.remove(LinkMethods.LINKS, link.get("id").getAsLong());
            long target = link.get("target").getAsLong();
            if (NvmeTables.where(tables, LinkMethods.LINKS, "target", target).isEmpty())
                tables.remove(TargetMethods.TARGETS, target);
        }
        tables.remove(EXTENTS, id);
    }

    @Override
    protected JsonObject defaults(Tables tables, Call call) {
        return JsonTools.object(
                "id",
                0,
                "name",
                "",
                "type",
                "DISK",
                "disk",
                JsonNull.INSTANCE,
                "path",
                JsonNull.INSTANCE,
                "filesize",
                "0",
                "serial",
                JsonNull.INSTANCE,
                "blocksize",
                512,
                "pblocksize",
                false,
                "avail_threshold",
                JsonNull.INSTANCE,
                "comment",
                "",
                "naa",
                "",
                "insecure_tpc",
                true,
                "xen",
                false,
                "rpm",
                "SSD",
                "ro",
                false,
                "enabled",
                true,
                "vendor",
                "TrueNAS",
                "product_id",
                "iSCSI Disk",
                "locked",
                false);
    }

    @Override
    protected JsonObject stored(Tables tables, JsonObject row) {
        VolumeDevices.readonly(tables, JsonTools.text(row, "disk"), JsonTools.flag(row, "ro", false));
        long id = row.get("id").getAsLong();
        JsonObject stored = row.deepCopy();
        if (JsonTools.text(row, "serial").isEmpty())
            stored.addProperty("serial", String.format(Locale.ROOT, "%015x", 0x5000000L + id));
        if (JsonTools.text(row, "naa").isEmpty())
            stored.addProperty("naa", String.format(Locale.ROOT, "0x6589cfc000000%019x", id));
        stored.addProperty("path", JsonTools.text(row, "disk"));
        return stored;
    }

    @Override
    protected JsonObject shown(Tables tables, Call call, JsonObject row) {
        JsonObject shown = JsonTools.with(row, "locked", LockedDatasets.holdsPath(tables, JsonTools.text(row, "disk")));
        if (call.api() == Profile.V25_04) shown.remove("product_id");
        if (call.api().since(Profile.V26_BETA)) { // both are of files
            shown.add("dataset", JsonNull.INSTANCE);
            shown.add("relative_path", JsonNull.INSTANCE);
        }
        return shown;
    }

    @Override
    protected List<Violation> refused(Tables tables, Call call, JsonObject row, Optional<JsonObject> before) {
        String schema = before.isEmpty() ? "iscsi_extent_create." : "iscsi_extent_update.";
        List<Violation> refused = new ArrayList<>();
        String name = JsonTools.text(row, "name");
        if (taken(tables, row, "name")) refused.add(Violation.of(schema + "name", "Extent name must be unique"));
        else if (tables.rows(EXTENTS).stream()
                .anyMatch(other -> !other.get("id").equals(row.get("id"))
                        && flat(JsonTools.text(other, "name")).equals(flat(name))))
            refused.add(
                    Violation.of(schema + "name", "Extent name must be unique when flattened (" + flat(name) + ")"));
        if (JsonTools.text(row, "type").equals("DISK")) diskViolations(tables, schema, row, refused);
        return refused;
    }

    private static String flat(String name) {
        return name.replace('.', '_').replace('/', '-');
    }

    private void diskViolations(Tables tables, String schema, JsonObject row, List<Violation> refused) {
        String disk = JsonTools.text(row, "disk");
        if (!disk.startsWith("zvol/")) {
            refused.add(Violation.of(schema + "disk", "Disk name must start with \"zvol/\""));
            return;
        }
        VolumeDevices.extent(tables, disk)
                .filter(other -> !other.get("id").equals(row.get("id")))
                .ifPresent(other -> refused.add(Violation.of(
                        schema + "disk", "Disk currently in use by extent " + JsonTools.text(other, "name"))));
        VolumeDevices.namespace(tables, disk)
                .ifPresent(other -> refused.add(Violation.of(
                        schema + "disk",
                        "Disk currently in use by NVMe-oF subsystem "
                                + tables.row(NvmeTables.SUBSYSTEMS, JsonTools.number(other, "subsys_id", 0))
                                        .map(subsys -> JsonTools.text(subsys, "name"))
                                        .orElse("")
                                + " NSID " + other.get("nsid"))));
        if (!volumes.exists(tables, disk))
            refused.add(Violation.of(
                    schema + "disk",
                    "Device '/dev/" + disk + "' for volume '" + Attachments.volume(disk) + "' does not exist"));
    }

    @Override
    protected void removing(Tables tables, Call call, JsonObject row) {
        for (JsonObject link : NvmeTables.where(
                tables, LinkMethods.LINKS, "extent", row.get("id").getAsLong())) {
            Optional<JsonObject> target =
                    tables.row(TargetMethods.TARGETS, link.get("target").getAsLong());
            if (!call.flag(2)
                    && target.filter(found -> TargetMethods.used(tables, found)).isPresent())
                throw ApiFailure.call("Associated target(s) " + JsonTools.text(target.get(), "name") + " is in use.");
            tables.remove(LinkMethods.LINKS, link.get("id").getAsLong());
            call.steps().endLoaded();
        }
    }
}
