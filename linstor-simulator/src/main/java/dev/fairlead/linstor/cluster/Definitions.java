package dev.fairlead.linstor.cluster;

import static dev.fairlead.linstor.state.LinstorJson.child;
import static dev.fairlead.linstor.state.LinstorJson.list;
import static dev.fairlead.linstor.state.LinstorJson.number;
import static dev.fairlead.linstor.state.LinstorJson.object;
import static dev.fairlead.linstor.state.LinstorJson.text;
import static dev.fairlead.linstor.state.LinstorJson.texts;

import com.google.gson.JsonObject;
import dev.fairlead.linstor.answer.Messages;
import dev.fairlead.linstor.answer.RestAnswer;
import dev.fairlead.linstor.answer.ReturnCode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers for resource groups and for the definitions of resources and volumes. */
public final class Definitions {
    private static final Pattern FORBIDDEN = Pattern.compile("[^A-Za-z0-9_-]");

    private final Cluster cluster;

    public Definitions(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Adds a resource group. */
    public RestAnswer createGroup(JsonObject body) {
        String name = text(body, "name");
        Messages said = new Messages("RscGrp", name);
        if (cluster.has("group/" + name)) {
            return said.add(
                            ReturnCode.ERROR | ReturnCode.CREATE | ReturnCode.GROUP | ReturnCode.GROUP_EXISTS,
                            "A Resource group: %s already exists.".formatted(name))
                    .with("cause", "The ResourceGroup already exists")
                    .with("details", "Resource group: " + name)
                    .answer(201);
        }
        String uuid = Cluster.uuid();
        JsonObject row = body.deepCopy();
        row.addProperty("uuid", uuid);
        cluster.rows().put("group/" + name, row);
        return said.add(
                        ReturnCode.CREATE | ReturnCode.GROUP | ReturnCode.CREATED,
                        "New resource group '%s' created.".formatted(name),
                        "UUID",
                        uuid)
                .with("details", "Resource group '%s' UUID is: %s".formatted(name, uuid))
                .answer(201);
    }

    /** Removes a resource group. */
    public RestAnswer deleteGroup(String name) {
        long gone = ReturnCode.DELETE | ReturnCode.GROUP;
        Messages said = new Messages("RscGrp", name);
        if (!cluster.has("group/" + name)) {
            return said.add(
                            ReturnCode.WARNING | gone | ReturnCode.NOT_FOUND_WARNING,
                            "Resource group '%s' not found.".formatted(name))
                    .answer(200);
        }
        cluster.rows().remove("group/" + name);
        return said.add(gone | 2, "Resource group '%s' deleted.".formatted(name))
                .answer(200);
    }

    /** Adds a resource definition. */
    public RestAnswer create(JsonObject body) {
        JsonObject wanted = child(body, "resource_definition");
        String name = text(wanted, "name");
        Messages said = new Messages("RscDfn", name);
        long made = ReturnCode.CREATE | ReturnCode.DEFINITION;
        Matcher wrong = FORBIDDEN.matcher(name);
        if (name.isEmpty() || wrong.find()) {
            String found = name.isEmpty() ? "" : wrong.group();
            return said.add(
                            ReturnCode.ERROR | made | ReturnCode.INVALID_NAME,
                            "The specified resource name '%s' is invalid.".formatted(name))
                    .with("cause", "Invalid name: Cannot contain character '%s'".formatted(found))
                    .with("details", "Resource definition: " + name)
                    .reported(cluster.report())
                    .answer(201);
        }
        if (cluster.has("definition/" + name)) {
            return said.add(
                            ReturnCode.ERROR | made | ReturnCode.DEFINITION_EXISTS,
                            "A resource definition with the name '%s' already exists".formatted(name))
                    .with("cause", "The ResourceDefinition already exists")
                    .with("details", "Resource definition: " + name)
                    .answer(201);
        }
        String group =
                text(wanted, "resource_group_name").isEmpty() ? "DfltRscGrp" : text(wanted, "resource_group_name");
        JsonObject filter = child(cluster.rows().row("group/" + group).orElseGet(JsonObject::new), "select_filter");
        List<String> layers = texts(filter, "layer_stack");
        JsonObject props = child(wanted, "props").deepCopy();
        String uuid = Cluster.uuid();
        Messages plain = new Messages();
        PropertyChange.told(plain, ReturnCode.DEFINITION, props);
        cluster.rows()
                .put(
                        "definition/" + name,
                        object(
                                "name",
                                name,
                                "props",
                                props,
                                "group",
                                group,
                                "uuid",
                                uuid,
                                "layers",
                                list(layers.isEmpty() ? List.of("STORAGE") : layers)));
        return plain.add(
                        made | 1, "New resource definition '%s' created.".formatted(name), "UUID", uuid, "RscDfn", name)
                .with("details", "Resource definition '%s' UUID is: %s".formatted(name, uuid))
                .answer(201);
    }

    /** Changes a resource definition's properties. */
    public RestAnswer modify(String name, JsonObject body) {
        if (!cluster.has("definition/" + name)) return unknown(name);
        Messages said = new Messages("RscDfn", name);
        PropertyChange change = PropertyChange.of(ReturnCode.DEFINITION, body);
        if (change.isTooLong()) {
            return change.refused(said, "resource definition '" + name + "'", "", cluster.report())
                    .answer(200);
        }
        JsonObject row = cluster.definition(name);
        change.apply(row);
        cluster.rows().put("definition/" + name, row);
        change.tell(said);
        return said.add(
                        ReturnCode.MODIFY | ReturnCode.DEFINITION | ReturnCode.MODIFIED,
                        "Resource definition '%s' modified.".formatted(name))
                .answer(200);
    }

    /** Adds a volume definition. */
    public RestAnswer createVolume(String name, JsonObject body) {
        if (!cluster.has("definition/" + name)) return unknown(name);
        JsonObject wanted = child(body, "volume_definition");
        long number = number(wanted, "volume_number", cluster.volumes(name).size());
        Messages said = new Messages("RscDfn", name, "VlmNr", Long.toString(number));
        long made = ReturnCode.CREATE | ReturnCode.VOLUME_DEFINITION;
        String key = "volume/" + name + "/" + number;
        if (cluster.has(key)) {
            return said.add(
                            ReturnCode.ERROR | made | ReturnCode.VOLUME_DEFINITION_EXISTS,
                            "A volume definition with the number %d already exists in resource definition '%s'."
                                    .formatted(number, name))
                    .with("cause", "The VolumeDefinition already exists")
                    .with(
                            "details",
                            "Resource definition: %s, Volume number: %d\nVolume definitions for resource definition '%s'"
                                    .formatted(name, number, name))
                    .answer(200);
        }
        JsonObject props = object(
                "DrbdCurrentGi",
                "BEB16C50BC373804",
                "DrbdOptions/Disk/block-size",
                "512",
                "StorDriver/internal/AllocationGranularity",
                "1");
        child(wanted, "props").entrySet().forEach(entry -> props.add(entry.getKey(), entry.getValue()));
        cluster.rows()
                .put(
                        key,
                        object(
                                "volume_number",
                                number,
                                "size_kib",
                                number(wanted, "size_kib", 0),
                                "props",
                                props,
                                "uuid",
                                Cluster.uuid()));
        return said.add(
                        made | 1,
                        "New volume definition with number '%d' of resource definition '%s' created."
                                .formatted(number, name))
                .answer(200);
    }

    /** Changes a volume definition's properties or size. */
    public RestAnswer modifyVolume(String name, String number, JsonObject body) {
        String key = "volume/" + name + "/" + number;
        Optional<JsonObject> found = cluster.rows().row(key);
        if (found.isEmpty()) return unknown(name);
        JsonObject row = found.get();
        String title = "olume definition with number '%s' of resource definition '%s'".formatted(number, name);
        String details = "Resource definition: %s, Volume number: %s".formatted(name, number);
        Messages said = new Messages("RscDfn", name, "VlmNr", number);
        long modified = ReturnCode.MODIFY | ReturnCode.VOLUME_DEFINITION;
        PropertyChange change = PropertyChange.of(ReturnCode.VOLUME_DEFINITION, body);
        if (change.isTooLong()) {
            String more = " com.linbit.linstor.dbdrivers.DatabaseException: DatabaseException";
            return change.refused(said, "v" + title, more, cluster.report())
                    .with("details", details)
                    .answer(200);
        }
        long size = number(body, "size_kib", number(row, "size_kib", 0));
        boolean resized = body.has("size_kib");
        if (resized && size < number(row, "size_kib", 0) && cluster.isDrbd(name)) {
            return said.add(
                            ReturnCode.ERROR | modified | ReturnCode.SHRINKS,
                            "Shrinking volumes is not supported by layer 'DRBD'. Volumes can only grow in size.")
                    .with("details", details)
                    .answer(200);
        }
        change.apply(row);
        row.addProperty("size_kib", size);
        cluster.rows().put(key, row);
        change.tell(said);
        said.add(modified | 3, "V" + title + " modified.", "UUID", text(row, "uuid"))
                .with("details", "V" + title + " UUID is: " + text(row, "uuid"));
        told(said, name, "Updated volume " + number + " of '%s' on '%s'");
        if (resized) {
            told(said, name, "Resized resource '%s' on '%s'");
            told(said, name, "Updated volume " + number + " of '%s' on '%s'");
        }
        return said.answer(200);
    }

    private void told(Messages said, String name, String words) {
        SatelliteWords satellites = new SatelliteWords(cluster, ReturnCode.MODIFY);
        for (String node : cluster.nodesOf(name)) {
            satellites.looked(said, name, node);
            said.add(ReturnCode.MODIFY | ReturnCode.VOLUME_DEFINITION | 3, words.formatted(name, node));
        }
    }

    /** Answers that a definition is not known, in the short form. */
    public static RestAnswer unknown(String name) {
        return new Messages()
                .add(ReturnCode.ERROR | ReturnCode.NO_DEFINITION, "Resource definition '%s' not found.".formatted(name))
                .withStatus(404);
    }
}
