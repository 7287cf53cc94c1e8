package dev.fairlead.adapter.freenas.nfs;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.export.ShareHost;
import dev.fairlead.adapter.freenas.export.TemplateReader;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.template.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds the {@code nfs} block of a connection's file, with democratic-csi's keys.
 *
 * @param host {@code shareHost}: the name or address by which nodes find the box
 * @param hosts {@code shareAllowedHosts}: who may mount volumes that are open
 * @param networks {@code shareAllowedNetworks}
 * @param accounts {@code shareMaprootUser} and its like, by the names of the API's fields
 * @param comment {@code shareCommentTemplate}
 */
public record NfsShareSettings(
        String host,
        List<String> hosts,
        List<String> networks,
        Map<String, String> accounts,
        Optional<Template> comment) {
    private static final Map<String, String> ACCOUNTS = Map.of(
            "shareMaprootUser", "maproot_user",
            "shareMaprootGroup", "maproot_group",
            "shareMapallUser", "mapall_user",
            "shareMapallGroup", "mapall_group");

    public NfsShareSettings {
        hosts = List.copyOf(hosts);
        networks = List.copyOf(networks);
        accounts = Map.copyOf(accounts);
    }

    /** Reports every problem of the block; what it returns is of use only if there was none. */
    public static NfsShareSettings read(ConfigNode file) {
        ConfigNode block = file.child("nfs");
        block.ignore("shareAlldirs"); // of the share's whole pool on CORE, and of nothing elsewhere
        Map<String, String> accounts = new LinkedHashMap<>();
        ACCOUNTS.forEach((key, field) ->
                block.string(key).filter(text -> !text.isBlank()).ifPresent(name -> accounts.put(field, name)));
        return new NfsShareSettings(
                ShareHost.read(block),
                block.strings("shareAllowedHosts"),
                block.strings("shareAllowedNetworks"),
                accounts,
                TemplateReader.comment(block, "shareCommentTemplate"));
    }

    /** Returns the fields of every share that is made. */
    JsonObject fields() {
        var fields = new JsonObject();
        fields.addProperty("ro", false);
        fields.add("security", new JsonArray());
        accounts.forEach(fields::addProperty);
        return fields;
    }
}
