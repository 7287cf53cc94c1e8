package dev.fairlead.simulator.pool;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.encryption.LockedDatasets;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.ErrorNumber;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Lists what the middleware refuses of a dataset before it asks ZFS. */
final class DatasetRules {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.: -]*(/[A-Za-z0-9_.: -]+)+");
    private static final Pattern KEY_OF_26 = Pattern.compile("[a-z0-9:._-]+");
    private static final Set<String> INTERNAL = Set.of(".system", "ix-apps", "ix-applications", ".ix-virt");
    private static final long SHARE_IN_PERCENT = 80;

    private DatasetRules() {}

    static List<Violation> ofCreation(Tables tables, Profile box, JsonObject data) {
        List<Violation> violations = new ArrayList<>();
        String name = JsonTools.text(data, "name");
        boolean volume = JsonTools.text(data, "type", "FILESYSTEM").equals("VOLUME");
        String schema = "pool_dataset_create.";
        nameViolation(tables, name, volume, JsonTools.flag(data, "create_ancestors", false))
                .ifPresent(text -> violations.add(Violation.of(schema + "name", text)));
        for (ZfsProperty property : ZfsProperty.ALL)
            if (data.has(property.api())
                    && !property.of(volume)
                    && !property.api().startsWith("special"))
                violations.add(Violation.of(
                        schema + property.api(), "This field is not valid for " + (volume ? "VOLUME" : "FILESYSTEM")));
        if (volume && violations.isEmpty()) violations.addAll(sizeViolations(tables, schema, name, data, 0));
        violations.addAll(keyViolations(box, schema, data));
        return violations;
    }

    private static Optional<String> nameViolation(Tables tables, String name, boolean volume, boolean ancestors) {
        if (!name.contains("/")) return Optional.of("You need a full name, e.g. pool/newdataset");
        if (!NAME.matcher(name).matches() || name.length() > 255 || name.endsWith(" "))
            return Optional.of("Invalid dataset name");
        for (String part : name.split("/", -1)) if (INTERNAL.contains(part)) return Optional.of("Invalid dataset name");
        if (tables.row("pool", poolId(tables, Zfs.pool(name))).isEmpty())
            return Optional.of("zpool (" + Zfs.pool(name) + ") does not exist.");
        boolean taken =
                tables.row(Zfs.DATASETS, name).filter(row -> !Zfs.volume(row)).isPresent();
        if (!volume && taken) return Optional.of("Path /mnt/" + name + " already exists");
        String parent = Zfs.parent(name);
        if (LockedDatasets.holds(tables, nearest(tables, parent)))
            return Optional.of(parent + " must be unlocked to create " + name + ".");
        return ancestors || tables.row(Zfs.DATASETS, parent).isPresent()
                ? Optional.empty()
                : Optional.of("Parent dataset (" + parent + ") does not exist.");
    }

    static String poolId(Tables tables, String pool) {
        return tables.rows("pool").stream()
                .filter(row -> JsonTools.text(row, "name").equals(pool))
                .map(row -> row.get("id").getAsString())
                .findFirst()
                .orElse("");
    }

    static List<Violation> sizeViolations(Tables tables, String schema, String name, JsonObject data, long now) {
        List<Violation> violations = new ArrayList<>();
        if (JsonTools.at(data, "volsize").isEmpty()) {
            if (now == 0) violations.add(Violation.of(schema + "volsize", "This field is required for VOLUME"));
            return violations;
        }
        long size = JsonTools.number(data, "volsize", 0);
        long block = ZfsProperty.bytes(JsonTools.text(data, "volblocksize", "16K"));
        if (block > 0 && size % block != 0)
            violations.add(Violation.of(schema + "volsize", "Volume size should be a multiple of volume block size"));
        if (size < now)
            violations.add(
                    Violation.of(schema + "volsize", "You cannot shrink a zvol from GUI, this may lead to data loss."));
        String at = nearest(tables, name);
        Space space = new Space(tables);
        long room = space.available(tables, at) + (now > 0 ? space.used(name) : 0);
        if (!JsonTools.flag(data, "force_size", false) && size > room * SHARE_IN_PERCENT / 100)
            violations.add(Violation.of(
                    schema + "volsize",
                    "It is not recommended to use more than 80% of your available space for VOLUME"));
        return violations;
    }

    private static String nearest(Tables tables, String name) {
        String at = name;
        while (!at.isEmpty() && tables.row(Zfs.DATASETS, at).isEmpty()) at = Zfs.parent(at);
        return at;
    }

    /** Refuses keys as 26 does from its release candidate on; before, keys are the models' business. */
    static List<Violation> keyViolations(Profile box, String schema, JsonObject data) {
        List<Violation> violations = new ArrayList<>();
        if (box.before(Profile.V26_BETA)) return violations;
        if (box == Profile.V26_BETA && schema.startsWith("pool_dataset_create")) return violations;
        for (String list : List.of("user_properties", "user_properties_update")) {
            Set<String> seen = new HashSet<>();
            for (JsonElement each : JsonTools.list(data, list)) {
                String key = JsonTools.text(each.getAsJsonObject(), "key");
                if (!KEY_OF_26.matcher(key).matches() || key.length() > 255 || !seen.add(key))
                    violations.add(new Violation(
                            Optional.of(schema + list), "Invalid user property key: " + key, ErrorNumber.EINVAL));
            }
        }
        return violations;
    }
}
