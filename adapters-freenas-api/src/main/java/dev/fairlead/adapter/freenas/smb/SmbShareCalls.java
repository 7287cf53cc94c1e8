package dev.fairlead.adapter.freenas.smb;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.http.Json;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Makes the calls of {@code sharing.smb}. */
record SmbShareCalls(ExportRows rows) {
    private static final String PATH = "path";
    private static final String NAME = "name";

    /** Returns the shares of a path, the oldest first. */
    List<SmbShareEntry> of(String path, Work work) {
        return entries(rows.of(ApiCollection.SMB_SHARE, PATH, path, work));
    }

    private static List<SmbShareEntry> entries(List<JsonObject> found) {
        return found.stream().flatMap(row -> SmbShareEntry.read(row).stream()).toList();
    }

    /** Returns the share of a name, in whatever case of letters. */
    Optional<SmbShareEntry> named(String name, Work work) {
        ApiQuery query = ApiQuery.all().where(NAME, "C=", new JsonPrimitive(name));
        return entries(rows.where(
                        ApiCollection.SMB_SHARE,
                        query,
                        row -> Json.text(row, NAME)
                                .filter(name::equalsIgnoreCase)
                                .isPresent(),
                        work))
                .stream()
                .findFirst();
    }

    SmbShareFields fields(Work work) {
        return new SmbShareFields(rows.api().release(work));
    }

    SmbShareEntry create(JsonObject fields, Work work) {
        String name = Json.text(fields, NAME).orElse("");
        String path = Json.text(fields, PATH).orElse("");
        JsonObject made = rows.make(
                ApiCollection.SMB_SHARE,
                fields,
                "share " + name,
                () -> rows.of(ApiCollection.SMB_SHARE, PATH, path, work).stream()
                        .filter(row -> Json.text(row, NAME)
                                .filter(name::equalsIgnoreCase)
                                .isPresent())
                        .findFirst(),
                work);
        return SmbShareEntry.read(made).orElseThrow(() -> rows.untrue("the share " + name + " has no number"));
    }

    void update(
            SmbShareEntry share, boolean enabled, Collection<String> allowed, Collection<String> denied, Work work) {
        JsonObject fields = fields(work).updated(share, enabled, allowed, denied);
        rows.update(ApiCollection.SMB_SHARE, row(share), fields, "share " + share.name(), work);
    }

    /** Lets the service load a share that is on, as a call that wrote it may have been cut before that. */
    void load(SmbShareEntry share, Work work) {
        var fields = new JsonObject();
        fields.addProperty("enabled", true);
        rows.update(ApiCollection.SMB_SHARE, row(share), fields, "share " + share.name(), work);
    }

    void delete(SmbShareEntry share, Work work) {
        rows.delete(ApiCollection.SMB_SHARE, row(share), "share " + share.name(), work);
    }

    private static JsonObject row(SmbShareEntry share) {
        var row = new JsonObject();
        row.addProperty("id", share.id());
        return row;
    }
}
