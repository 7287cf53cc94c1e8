package dev.fairlead.zfs.property;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.Map;
import java.util.TreeMap;

/** Holds the user properties that are Fairlead's alone, beside those of {@link PeerProperties}. */
public final class OwnProperties {
    /**
     * The notes that democratic-csi has no property for, as one flat JSON object: ZFS allows no slash and no capital in
     * a property's name, and the keys of these notes have them.
     */
    public static final String NOTES = "dev.fairlead:notes";

    /**
     * The nodes that a volume is published to; they have their own property, since its length grows with their number.
     */
    public static final String GRANTS = "dev.fairlead:grants";

    /**
     * The state of a volume: {@link #MAKING} from its creation until it is complete, then {@link #WHOLE}. A volume that
     * democratic-csi made has none, and counts as whole.
     */
    public static final String STATE = "dev.fairlead:state";

    public static final String MAKING = "making";
    public static final String WHOLE = "whole";

    /**
     * The state of a dataset that Fairlead made to hold detached snapshots; it has no content of its own, and is
     * destroyed with them.
     */
    public static final String HOLDER = "holder";

    /**
     * The state of a volume that was deleted while clones depended on it: it is nobody's any more, and is destroyed
     * with them.
     */
    public static final String HIDDEN = "hidden";

    /**
     * The source, on another connection, of a volume's content: {@code snapshot} or {@code volume} and its handle.
     * democratic-csi's own properties of a source name ids of the same connection, so a volume like this has none.
     */
    public static final String SOURCE = "dev.fairlead:source";

    /**
     * The mark on each snapshot of a group: the group's id and the shape of its request, as one flat JSON object. The
     * command that takes all the snapshots sets it.
     */
    public static final String GROUP = "dev.fairlead:group";

    /** The mark by which a connection knows a dataset that volumes lie below; its administrator sets it. */
    public static final String PARENT = "dev.fairlead:parent";

    /** The longest value that ZFS keeps (ZFS_MAXPROPLEN without its terminating zero). */
    public static final int MAX_VALUE_BYTES = 8191;

    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

    private OwnProperties() {}

    /** Returns notes as one line, the keys in order, so that equal notes are equal texts. */
    public static String write(Map<String, String> notes) {
        return GSON.toJson(new TreeMap<>(notes));
    }

    /** Returns the notes of a property; empty if it is no JSON object, since Fairlead did not write such a text. */
    public static Map<String, String> read(String property) {
        Map<String, String> notes = new TreeMap<>();
        try {
            if (JsonParser.parseString(property) instanceof JsonObject json) {
                for (Map.Entry<String, JsonElement> entry : json.entrySet()) {
                    if (entry.getValue() instanceof JsonPrimitive value && value.isString()) {
                        notes.put(entry.getKey(), value.getAsString());
                    }
                }
            }
        } catch (JsonParseException _) {
            // Fairlead did not write this.
        }
        return notes;
    }
}
