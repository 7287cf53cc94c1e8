package dev.fairlead.adapter.freenas.store;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.simulator.engine.JsonTools;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Shows what is stored on a box, by the numbers that ZFS gives at birth and that no renaming and no promotion changes.
 *
 * @param names what each dataset and snapshot is called
 * @param contents what was written to it last
 */
record CloneTrees(Map<String, String> names, Map<String, String> contents) {
    static CloneTrees of(SimulatedBox box) {
        Map<String, String> names = new TreeMap<>();
        Map<String, String> contents = new TreeMap<>();
        for (String table : List.of("dataset", "snapshot")) {
            for (JsonObject row : box.rows(table)) {
                String guid = JsonTools.text(row, "guid");
                names.put(guid, JsonTools.text(row, "name"));
                contents.put(guid, String.valueOf(row.get("content")));
            }
        }
        return new CloneTrees(names, contents);
    }

    /** Returns the number of what has this name; empty if nothing has. */
    String guid(String name) {
        return names.entrySet().stream()
                .filter(entry -> entry.getValue().equals(name))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }

    /** Returns what is not there any more, or has another content, and is not among these numbers. */
    List<String> lostSince(CloneTrees before, Set<String> given) {
        List<String> lost = new ArrayList<>();
        before.contents().forEach((guid, content) -> {
            if (!given.contains(guid) && !content.equals(contents.get(guid))) {
                lost.add(before.names().get(guid) + " with " + content);
            }
        });
        return lost;
    }
}
