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

/** The user properties that are Fairlead's alone, beside those of {@link PeerProperties}. */
public final class OwnProperties {
    /**
     * The notes that democratic-csi has no property for, as one flat JSON object: ZFS allows no slash and no capital in
     * a property's name, and our notes' keys have them.
     */
    public static final String NOTES = "dev.fairlead:notes";

    /** The nodes that a volume is published to: a note of its own, since it grows with them. */
    public static final String GRANTS = "dev.fairlead:grants";

    /**
     * {@link #MAKING} from a volume's birth until all of it is there, then {@link #WHOLE}. A volume that democratic-csi
     * made has none, and counts as whole.
     */
    public static final String STATE = "dev.fairlead:state";

    public static final String MAKING = "making";
    public static final String WHOLE = "whole";

    /**
     * The state of a dataset that we made to hold detached snapshots; it has nothing of its own, and goes with them.
     */
    public static final String HOLDER = "holder";

    /** The state of a volume that was deleted while clones hung on it: it is nobody's any more, and goes with them. */
    public static final String HIDDEN = "hidden";

    /**
     * What a volume was made of that came from another connection: {@code snapshot} or {@code volume} and its handle.
     * democratic-csi's own properties of a source name ids of the same connection, so a volume like this has none.
     */
    public static final String SOURCE = "dev.fairlead:source";

    /**
     * On each snapshot of a group: the group's id and what its request was like, as one flat JSON object. It is given
     * by the command that takes them all.
     */
    public static final String GROUP = "dev.fairlead:group";

    /** On a dataset that volumes lie below: the mark by which a connection knows it, given by its administrator. */
    public static final String PARENT = "dev.fairlead:parent";

    /** The longest value that ZFS keeps (ZFS_MAXPROPLEN without its terminating zero). */
    public static final int MAX_VALUE_BYTES = 8191;

    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

    private OwnProperties() {}

    /** As one line, the keys in order: equal notes are equal texts. */
    public static String write(Map<String, String> notes) {
        return GSON.toJson(new TreeMap<>(notes));
    }

    /** What is no object of texts was not written by us, and says nothing. */
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
            // as above
        }
        return notes;
    }
}
