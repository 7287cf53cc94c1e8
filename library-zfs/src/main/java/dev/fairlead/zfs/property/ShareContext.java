package dev.fairlead.zfs.property;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Writes and reads a volume_context as democratic-csi has it in {@link PeerProperties#SHARE_CONTEXT}: compact JSON, the
 * keys in democratic-csi's order, LUN and namespace as numbers. Fairlead's own keys are not written there.
 */
public final class ShareContext {
    private static final String DRIVER = "node_attach_driver";
    private static final List<String> ORDER = List.of(
            DRIVER,
            "server",
            "share",
            "portal",
            "portals",
            "interface",
            "iqn",
            "lun",
            "transport",
            "transports",
            "nqn",
            "nsid",
            "zfs_asset_name");
    private static final Set<String> NUMBERS = Set.of("lun", "nsid");
    private static final Set<String> PROVISIONER = Set.of("provisioner_driver", "provisioner_driver_instance_id");
    private static final String OURS = "fairlead.dev/";

    // An apostrophe in a folder's name is not escaped: JSON.stringify escapes no HTML.
    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

    private ShareContext() {}

    /** Says whether a key of a volume_context is written to the property. */
    public static boolean holds(String key) {
        return !PROVISIONER.contains(key) && !key.startsWith(OURS);
    }

    /** Returns the property's value; empty if the context has nothing for it. */
    public static Optional<String> write(Map<String, String> context) {
        var json = new JsonObject();
        for (String key : ordered(context.keySet())) {
            json.add(key, value(key, context.getOrDefault(key, "")));
        }
        return json.isEmpty() ? Optional.empty() : Optional.of(GSON.toJson(json));
    }

    private static List<String> ordered(Set<String> keys) {
        List<String> order = new ArrayList<>(ORDER);
        order.retainAll(keys);
        Set<String> others = new TreeSet<>(keys);
        others.removeIf(key -> ORDER.contains(key) || !holds(key));
        order.addAll(others);
        return order;
    }

    private static JsonElement value(String key, String text) {
        return NUMBERS.contains(key) && text.matches("[0-9]{1,9}")
                ? new JsonPrimitive(Integer.valueOf(text))
                : new JsonPrimitive(text);
    }

    /**
     * Returns the context that a property's value holds, each value as the text that CSI carries; empty if it holds
     * none.
     */
    public static Optional<Map<String, String>> read(String property) {
        try {
            if (!(JsonParser.parseString(property) instanceof JsonObject json)) {
                return Optional.empty();
            }
            Map<String, String> context = new TreeMap<>();
            for (Map.Entry<String, JsonElement> entry : json.entrySet()) {
                if (entry.getValue() instanceof JsonPrimitive value) {
                    context.put(entry.getKey(), value.getAsString());
                }
            }
            return Optional.of(context);
        } catch (JsonParseException _) {
            return Optional.empty();
        }
    }
}
