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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Answers the methods of iscsi.targetextent, which link targets and extents by a number. */
public final class LinkMethods extends RowMethods {
    static final String LINKS = "iscsi_targetextent";

    /** Makes them on a state. */
    public LinkMethods(Store store) {
        super(store, "iscsi.targetextent", LINKS, "iSCSITargetToExtent", "SHARING_ISCSI_TARGETEXTENT");
    }

    /** Adds them. */
    public void addTo(Methods methods) {
        add(methods, (box, api) -> true, "iscsi_target_to_extent", "force");
    }

    @Override
    protected JsonObject defaults(Tables tables, Call call) {
        return JsonTools.object("id", 0, "target", 0, "extent", 0, "lunid", JsonNull.INSTANCE);
    }

    @Override
    protected JsonObject stored(Tables tables, JsonObject row) {
        if (!row.get("lunid").isJsonNull()) return row;
        Set<Long> taken = NvmeTables.where(
                        tables, LINKS, "target", row.get("target").getAsLong())
                .stream()
                .map(other -> JsonTools.number(other, "lunid", -1))
                .collect(Collectors.toSet());
        long lun = 0;
        while (taken.contains(lun)) lun++;
        return JsonTools.with(row, "lunid", lun);
    }

    @Override
    protected List<Violation> refused(Tables tables, Call call, JsonObject row, Optional<JsonObject> before) {
        String schema = before.isEmpty() ? "iscsi_targetextent_create." : "iscsi_targetextent_update.";
        List<Violation> refused = new ArrayList<>();
        long target = JsonTools.number(row, "target", 0);
        long extent = JsonTools.number(row, "extent", 0);
        if (tables.row(TargetMethods.TARGETS, target).isEmpty())
            refused.add(Violation.of(schema + "target", "Unable to locate target " + target));
        if (tables.row(ExtentMethods.EXTENTS, extent).isEmpty())
            refused.add(Violation.of(schema + "extent", "Unable to locate extent " + extent));
        for (JsonObject other : tables.rows(LINKS)) {
            if (other.get("id").equals(row.get("id"))) continue;
            boolean same = JsonTools.number(other, "target", 0) == target;
            if (same
                    && !row.get("lunid").isJsonNull()
                    && other.get("lunid").getAsLong() == row.get("lunid").getAsLong())
                refused.add(Violation.of(schema + "lunid", "LUN ID is already being used for this target."));
            if (JsonTools.number(other, "extent", 0) == extent)
                refused.add(Violation.of(schema + "extent", "Extent is already in use."));
        }
        return refused;
    }

    @Override
    protected void removing(Tables tables, Call call, JsonObject row) {
        Optional<JsonObject> target =
                tables.row(TargetMethods.TARGETS, row.get("target").getAsLong());
        if (!call.flag(1)
                && target.filter(found -> TargetMethods.used(tables, found)).isPresent())
            throw ApiFailure.call("Associated target(s) " + JsonTools.text(target.get(), "name") + " is in use.");
    }
}
