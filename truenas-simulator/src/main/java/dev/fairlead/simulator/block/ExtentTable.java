package dev.fairlead.simulator.block;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.engine.Violation;
import java.util.List;
import java.util.Optional;

/** Extents of iSCSI: the volumes behind targets. */
final class ExtentTable implements BlockTable.Kind {
    static final String EXTENTS = "iscsi_extent";

    @Override
    public JsonObject defaults(Tables tables, Call call) {
        JsonObject row = JsonTools.object(
                "type",
                "DISK",
                "disk",
                JsonNull.INSTANCE,
                "path",
                "",
                "filesize",
                "0",
                "serial",
                "%015x".formatted(tables.nextId("iscsi_serial")),
                "blocksize",
                512,
                "pblocksize",
                false,
                "avail_threshold",
                JsonNull.INSTANCE,
                "comment",
                "",
                "naa",
                "0x6589cfc000000%019x".formatted(tables.nextId("iscsi_naa")));
        return JsonTools.merged(
                row,
                JsonTools.object(
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
                        false));
    }

    @Override
    public void check(Tables tables, Call call, JsonObject row, List<Violation> violations) {
        String schema = call.schema() + ".";
        String name = JsonTools.text(row, "name");
        if (BlockTable.taken(tables, EXTENTS, row, "name"))
            violations.add(Violation.of(schema + "name", "Extent name must be unique"));
        else if (flattened(tables, row, name))
            violations.add(
                    Violation.of(schema + "name", "Extent name must be unique when flattened (" + flat(name) + ")"));
        String disk = JsonTools.text(row, "disk");
        if (!disk.startsWith("zvol/"))
            violations.add(Violation.of(schema + "disk", "Disk name must start with \"zvol/\""));
        else volume(tables, disk)
                .ifPresent(problem -> violations.add(Violation.of(schema + "disk", problem)));
        if (!disk.isEmpty()) user(tables, row, disk).ifPresent(text -> violations.add(Violation.of(schema + "disk", text)));
        row.add("path", row.get("disk"));
    }

    private static boolean flattened(Tables tables, JsonObject row, String name) {
        return tables.rows(EXTENTS).stream()
                .anyMatch(other -> JsonTools.number(other, "id", 0) != JsonTools.number(row, "id", 0)
                        && flat(JsonTools.text(other, "name")).equals(flat(name)));
    }

    private static String flat(String name) {
        return name.replace('.', '_').replace('/', '-');
    }

    /** Returns what is wrong with the device of a volume. */
    static Optional<String> volume(Tables tables, String path) {
        String dataset = path.replaceFirst("^zvol/", "");
        boolean there = tables.row("dataset", dataset)
                .filter(row -> JsonTools.text(row, "type").equals("VOLUME"))
                .filter(row -> !JsonTools.flag(row, "late", false))
                .isPresent();
        return there
                ? Optional.empty()
                : Optional.of("Device '/dev/" + path + "' for volume '" + dataset + "' does not exist");
    }

    private static Optional<String> user(Tables tables, JsonObject row, String disk) {
        Optional<String> extent = tables.rows(EXTENTS).stream()
                .filter(other -> JsonTools.number(other, "id", 0) != JsonTools.number(row, "id", 0))
                .filter(other -> JsonTools.text(other, "disk").equals(disk))
                .map(other -> "Disk currently in use by extent " + JsonTools.text(other, "name"))
                .findFirst();
        return extent.or(() -> tables.rows(NvmetMethods.NAMESPACES).stream()
                .filter(other -> JsonTools.text(other, "device_path").equals(disk))
                .map(other -> "Disk currently in use by NVMe-oF subsystem "
                        + JsonTools.text(BlockTable.named(tables, NvmetMethods.SUBSYSTEMS, other, "subsys_id"), "name")
                        + " NSID " + JsonTools.number(other, "nsid", 0))
                .findFirst());
    }

    @Override
    public void release(Tables tables, Call call, JsonObject row) {
        for (JsonObject each : TargetTable.associations(tables, "extent", row)) {
            TargetTable.refuseInUse(
                    tables, BlockTable.named(tables, TargetTable.TARGETS, each, "target"), call.flag(2));
            tables.remove(TargetTable.ASSOCIATIONS, JsonTools.number(each, "id", 0));
        }
    }
}
