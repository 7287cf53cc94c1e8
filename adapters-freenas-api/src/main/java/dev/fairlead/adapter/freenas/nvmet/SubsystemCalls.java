package dev.fairlead.adapter.freenas.nvmet;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.http.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the calls on subsystems, their namespaces, and their links to ports and hosts. */
record SubsystemCalls(ExportRows rows) {
    private static final String NAME = "name";
    private static final String PATH = "device_path";
    private static final String HOST_NQN = "hostnqn";
    private static final String SUBSYSTEM = "subsys";

    Optional<JsonObject> subsystem(String name, Work work) {
        return rows.of(ApiCollection.NVMET_SUBSYS, NAME, name, work).stream().findFirst();
    }

    Optional<JsonObject> subsystem(long id, Work work) {
        return rows.api().find(ApiCollection.NVMET_SUBSYS, id, work);
    }

    /** Returns the namespaces of a volume, of which the box allows one. */
    List<JsonObject> namespaces(String disk, Work work) {
        return rows.ofDevice(ApiCollection.NVMET_NAMESPACE, PATH, disk, work);
    }

    /**
     * Returns the subsystems that namespaces belong to, which the box tells with them; asks for one that it does not.
     */
    List<JsonObject> subsystemsOf(List<JsonObject> namespaces, Work work) {
        Map<Long, JsonObject> all = new LinkedHashMap<>();
        for (JsonObject namespace : namespaces) {
            JsonObject told = Json.child(namespace, SUBSYSTEM);
            Optional.of(told)
                    .filter(row -> ExportRows.id(row) > 0 && !name(row).isEmpty())
                    .or(() -> subsystem(subsystemOf(namespace), work))
                    .ifPresent(row -> all.put(ExportRows.id(row), row));
        }
        return List.copyOf(all.values());
    }

    List<JsonObject> namespaces(JsonObject subsystem, Work work) {
        return ofSubsystem(ApiCollection.NVMET_NAMESPACE, subsystem, work);
    }

    List<JsonObject> portLinks(JsonObject subsystem, Work work) {
        return ofSubsystem(ApiCollection.NVMET_PORT_SUBSYS, subsystem, work);
    }

    List<JsonObject> hostLinks(JsonObject subsystem, Work work) {
        return ofSubsystem(ApiCollection.NVMET_HOST_SUBSYS, subsystem, work);
    }

    private List<JsonObject> ofSubsystem(ApiCollection collection, JsonObject subsystem, Work work) {
        long id = ExportRows.id(subsystem);
        return rows.where(
                collection,
                ApiQuery.all().where("subsys.id", "=", new JsonPrimitive(id)),
                row -> subsystemOf(row) == id,
                work);
    }

    /** Returns the number of the subsystem that a row belongs to. */
    static long subsystemOf(JsonObject row) {
        return ExportRows.id(Json.child(row, SUBSYSTEM));
    }

    static String name(JsonObject subsystem) {
        return Json.text(subsystem, NAME).orElse("");
    }

    /** Returns the device that a namespace shows, whether the box has it with spaces or as it is. */
    static String path(JsonObject namespace) {
        return Json.text(namespace, PATH).map(ExportRows::device).orElse("");
    }

    /** Returns the host that a link lets in. */
    static String hostOf(JsonObject link) {
        return Json.text(Json.child(link, "host"), HOST_NQN).orElse("");
    }

    static long portOf(JsonObject link) {
        return ExportRows.id(Json.child(link, "port"));
    }

    JsonObject makeSubsystem(String name, JsonObject template, boolean isOpen, Work work) {
        return rows.make(
                ApiCollection.NVMET_SUBSYS,
                subsystem(name, template, isOpen),
                "subsystem " + name,
                () -> subsystem(name, work),
                work);
    }

    /** Makes a subsystem if none of its name is there. */
    Optional<JsonObject> makeNewSubsystem(String name, JsonObject template, boolean isOpen, Work work) {
        return rows.makeNew(ApiCollection.NVMET_SUBSYS, subsystem(name, template, isOpen), "subsystem " + name, work);
    }

    private static JsonObject subsystem(String name, JsonObject template, boolean isOpen) {
        JsonObject fields = template.deepCopy();
        fields.addProperty(NAME, name);
        if (!isOpen) {
            fields.addProperty(SubsystemSettings.ANY_HOST, false);
        }
        return fields;
    }

    /** Makes a namespace if none of its device is there. */
    Optional<JsonObject> makeNewNamespace(JsonObject subsystem, String disk, JsonObject template, Work work) {
        return rows.makeNew(
                ApiCollection.NVMET_NAMESPACE, namespace(subsystem, disk, template), "namespace " + disk, work);
    }

    private static JsonObject namespace(JsonObject subsystem, String disk, JsonObject template) {
        JsonObject fields = template.deepCopy();
        fields.addProperty("subsys_id", ExportRows.id(subsystem));
        fields.addProperty("device_type", "ZVOL");
        fields.addProperty(PATH, disk);
        return fields;
    }

    JsonObject makeNamespace(JsonObject subsystem, String disk, JsonObject template, Work work) {
        return rows.make(
                ApiCollection.NVMET_NAMESPACE,
                namespace(subsystem, disk, template),
                "namespace " + disk,
                () -> namespaces(disk, work).stream().findFirst(),
                work);
    }

    void setAnyHost(JsonObject subsystem, boolean any, Work work) {
        var fields = new JsonObject();
        fields.addProperty(SubsystemSettings.ANY_HOST, any);
        rows.update(ApiCollection.NVMET_SUBSYS, subsystem, fields, "subsystem " + name(subsystem), work);
    }

    Optional<JsonObject> host(String nqn, Work work) {
        return rows.of(ApiCollection.NVMET_HOST, HOST_NQN, nqn, work).stream().findFirst();
    }

    JsonObject makeHost(String nqn, Work work) {
        var fields = new JsonObject();
        fields.addProperty(HOST_NQN, nqn);
        return rows.make(ApiCollection.NVMET_HOST, fields, "host " + nqn, () -> host(nqn, work), work);
    }

    JsonObject linkHost(JsonObject subsystem, JsonObject host, Work work) {
        long id = ExportRows.id(host);
        var fields = new JsonObject();
        fields.addProperty("host_id", id);
        fields.addProperty("subsys_id", ExportRows.id(subsystem));
        return rows.make(
                ApiCollection.NVMET_HOST_SUBSYS,
                fields,
                "host of subsystem " + name(subsystem),
                () -> hostLinks(subsystem, work).stream()
                        .filter(link -> ExportRows.id(Json.child(link, "host")) == id)
                        .findFirst(),
                work);
    }

    JsonObject linkPort(JsonObject subsystem, long port, Work work) {
        var fields = new JsonObject();
        fields.addProperty("port_id", port);
        fields.addProperty("subsys_id", ExportRows.id(subsystem));
        return rows.make(
                ApiCollection.NVMET_PORT_SUBSYS,
                fields,
                "port of subsystem " + name(subsystem),
                () -> portLinks(subsystem, work).stream()
                        .filter(link -> portOf(link) == port)
                        .findFirst(),
                work);
    }

    void unlinkHost(JsonObject link, JsonObject subsystem, Work work) {
        rows.delete(ApiCollection.NVMET_HOST_SUBSYS, link, "host of subsystem " + name(subsystem), work);
    }

    void unlinkPort(JsonObject link, JsonObject subsystem, Work work) {
        rows.delete(ApiCollection.NVMET_PORT_SUBSYS, link, "port of subsystem " + name(subsystem), work);
    }

    void deleteNamespace(JsonObject namespace, Work work) {
        rows.delete(ApiCollection.NVMET_NAMESPACE, namespace, "namespace " + path(namespace), work);
    }

    /** Deletes a subsystem with its links to ports and hosts; its namespaces have to be gone before. */
    void deleteSubsystem(JsonObject subsystem, Work work) {
        var options = new JsonObject();
        options.addProperty("force", true);
        rows.delete(ApiCollection.NVMET_SUBSYS, subsystem, "subsystem " + name(subsystem), work, options);
    }
}
