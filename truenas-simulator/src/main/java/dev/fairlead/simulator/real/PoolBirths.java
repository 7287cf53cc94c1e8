package dev.fairlead.simulator.real;

import static dev.fairlead.simulator.real.HostShell.quoted;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.pool.Zfs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Makes new datasets and snapshots in the order in which they came to be; snapshots of one moment by one command. */
final class PoolBirths {
    private final List<JsonObject> rows;
    private final List<String> lines = new ArrayList<>();
    private final Set<String> received = new HashSet<>();
    private final List<JsonObject> moment = new ArrayList<>();

    PoolBirths(List<JsonObject> datasets, List<JsonObject> snapshots) {
        this.rows = Stream.concat(datasets.stream(), snapshots.stream())
                .sorted(Comparator.comparingLong(row -> JsonTools.number(row, "createtxg", 0)))
                .toList();
    }

    List<String> lines() {
        for (JsonObject row : rows) {
            boolean snapshot = row.has("snapshot_name");
            if (!snapshot || !isOfTheMoment(row)) take();
            if (snapshot) moment.add(row);
            else make(row);
        }
        take();
        return lines;
    }

    private boolean isOfTheMoment(JsonObject row) {
        return moment.stream()
                .allMatch(other -> other.get("snapshot_name").equals(row.get("snapshot_name"))
                        && other.get("user").equals(row.get("user"))
                        && !other.get("dataset").equals(row.get("dataset")));
    }

    private void take() {
        List<JsonObject> taken = moment.stream()
                .filter(row -> !received.contains(JsonTools.text(row, "name")))
                .toList();
        if (!taken.isEmpty()) {
            StringBuilder line = new StringBuilder("zfs snapshot");
            PoolProperties.options(JsonTools.child(taken.getFirst(), "user")).forEach(line::append);
            taken.forEach(row -> line.append(' ').append(quoted(JsonTools.text(row, "name"))));
            lines.add(line.toString());
        }
        // A stream brings the snapshot along, but not what users noted at it.
        moment.stream()
                .filter(row -> received.contains(JsonTools.text(row, "name")))
                .forEach(row -> lines.addAll(
                        PoolProperties.changesOfUsers(JsonTools.text(row, "name"), new JsonObject(), row)));
        moment.clear();
    }

    private void make(JsonObject row) {
        String name = JsonTools.text(row, "name");
        String origin = JsonTools.text(row, "origin");
        String copied = JsonTools.text(row, Zfs.COPIED);
        JsonObject props = JsonTools.child(row, "props").deepCopy();
        StringBuilder line = new StringBuilder();
        if (!copied.isEmpty()) {
            // The stream has them, and they cannot be set.
            List.of("volsize", "volblocksize", "casesensitivity").forEach(props::remove);
            received.add(name + copied.substring(copied.indexOf('@')));
            line.append("zfs send ").append(quoted(copied)).append(" | zfs receive");
        } else if (!origin.isEmpty()) {
            List.of("volsize", "volblocksize").forEach(props::remove);
            line.append("zfs clone");
        } else if (Zfs.volume(row)) {
            line.append("zfs create -V ").append(JsonTools.text(props, "volsize"));
            if (!props.has("refreservation")) line.append(" -s");
            props.remove("volsize");
        } else {
            line.append("zfs create");
        }
        PoolProperties.options(props).forEach(line::append);
        PoolProperties.options(JsonTools.child(row, "user")).forEach(line::append);
        if (copied.isEmpty() && !origin.isEmpty()) line.append(' ').append(quoted(origin));
        lines.add(line.append(' ').append(quoted(name)).toString());
        lines.addAll(PoolProperties.permissions(name, new JsonObject(), row));
    }
}
