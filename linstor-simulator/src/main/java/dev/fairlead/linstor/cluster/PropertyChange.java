package dev.fairlead.linstor.cluster;

import static dev.fairlead.linstor.state.LinstorJson.child;
import static dev.fairlead.linstor.state.LinstorJson.text;
import static dev.fairlead.linstor.state.LinstorJson.texts;

import com.google.gson.JsonObject;
import dev.fairlead.linstor.answer.Messages;
import dev.fairlead.linstor.answer.ReturnCode;
import java.util.List;

/**
 * Holds which properties of a node, a definition or a volume a call sets and removes.
 *
 * @param subject the kind of what has the properties, such as {@link ReturnCode#NODE}
 * @param set the properties that get a value
 * @param removed the keys of those that go
 */
record PropertyChange(long subject, JsonObject set, List<String> removed) {
    /** The database of LINSTOR has no room for a longer value. */
    private static final int LONGEST = 4096;

    /** Reads the fields "override_props" and "delete_props" of a call. */
    static PropertyChange of(long subject, JsonObject body) {
        return new PropertyChange(subject, child(body, "override_props"), texts(body, "delete_props"));
    }

    /** Says which properties a new thing has. */
    static void told(Messages to, long subject, JsonObject props) {
        new PropertyChange(subject, props, List.of()).tell(to);
    }

    /** Says whether one of the values is longer than the database takes. */
    boolean isTooLong() {
        return set.keySet().stream().anyMatch(key -> text(set, key).length() > LONGEST);
    }

    /** Adds the error that such a value ends in; the old value stays. */
    Messages refused(Messages to, String what, String more, String report) {
        return to.add(
                        ReturnCode.ERROR | ReturnCode.MODIFY | subject | ReturnCode.UNKNOWN_ERROR,
                        "Modification of " + what
                                + " failed due to an unhandled exception of type ApiDatabaseException." + more)
                .reported(report);
    }

    /** Changes the properties of a row. */
    void apply(JsonObject row) {
        JsonObject props = child(row, "props").deepCopy();
        set.entrySet().forEach(entry -> props.add(entry.getKey(), entry.getValue()));
        removed.forEach(props::remove);
        row.add("props", props);
    }

    /** Says what was set and what was removed. */
    void tell(Messages to) {
        if (!set.isEmpty()) {
            to.add(
                    ReturnCode.CREATE | subject | ReturnCode.CREATED,
                    "Successfully set property key(s): " + String.join(",", set.keySet()));
        }
        if (!removed.isEmpty()) {
            to.add(
                    ReturnCode.DELETE | subject | ReturnCode.DELETED,
                    "Successfully deleted property key(s): " + String.join(",", removed));
        }
    }
}
