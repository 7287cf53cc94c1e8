package dev.fairlead.simulator.real;

import static dev.fairlead.simulator.real.HostShell.quoted;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.RowChange;
import dev.fairlead.simulator.pool.Zfs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tells by which commands of ZFS the rows of datasets and snapshots came to be other ones. */
final class PoolCommands {
    private final List<RowChange> datasets;
    private final List<RowChange> snapshots;
    private final Map<String, String> moved = new HashMap<>();
    private final Set<String> promoted = new HashSet<>();
    private final List<String> lines = new ArrayList<>();

    private PoolCommands(List<RowChange> changes) {
        this.datasets = of(changes, Zfs.DATASETS);
        this.snapshots = of(changes, Zfs.SNAPSHOTS);
    }

    /** Returns the lines of shell that make the changes, in an order in which ZFS takes them. */
    static List<String> of(List<RowChange> changes) {
        PoolCommands commands = new PoolCommands(changes);
        commands.rename();
        commands.promote();
        commands.let();
        commands.destroy();
        commands.lines.addAll(
                new PoolBirths(commands.born(commands.datasets), commands.born(commands.snapshots)).lines());
        commands.change();
        return commands.lines;
    }

    private static List<RowChange> of(List<RowChange> changes, String table) {
        return changes.stream().filter(change -> change.table().equals(table)).toList();
    }

    private static String guid(JsonObject row) {
        return JsonTools.text(row, "guid");
    }

    /** Returns the former name of each row that is under another name now, by the number that ZFS itself keeps. */
    private static Map<String, RowChange> goneByGuid(List<RowChange> changes) {
        Map<String, RowChange> gone = new HashMap<>();
        changes.stream()
                .filter(change -> change.after().isEmpty())
                .forEach(change -> gone.put(guid(change.before().orElseThrow()), change));
        return gone;
    }

    private void rename() {
        Map<String, RowChange> gone = goneByGuid(datasets);
        for (RowChange change : datasets) {
            if (change.before().isPresent() || change.after().isEmpty()) continue;
            RowChange former = gone.get(guid(change.after().get()));
            if (former != null) moved.put(former.key(), change.key());
        }
        moved.forEach((from, to) -> {
            String above = Zfs.parent(from);
            boolean carried = moved.containsKey(above) && to.startsWith(moved.get(above) + "/");
            if (!carried) lines.add("zfs rename " + quoted(from) + " " + quoted(to));
        });
    }

    /** Finds clones that took the place of their origin: the origin hangs on a snapshot of theirs now. */
    private void promote() {
        for (RowChange change : datasets) {
            if (change.before().isEmpty() || change.after().isEmpty()) continue;
            String before = JsonTools.text(change.before().get(), "origin");
            String now = JsonTools.text(change.after().get(), "origin");
            boolean turned = datasets.stream()
                    .filter(other -> other.after().isPresent() && other.before().isPresent())
                    .anyMatch(other -> before.startsWith(other.key() + "@")
                            && JsonTools.text(other.after().get(), "origin").startsWith(change.key() + "@"));
            if (before.equals(now) || !turned) continue;
            promoted.add(change.key());
            lines.add("zfs promote " + quoted(change.key()));
        }
    }

    /** Holds and releases; a snapshot that goes is released before. */
    private void let() {
        for (RowChange change : snapshots) {
            if (change.before().isEmpty() || isMoved(change)) continue;
            Set<String> before = holds(change.before());
            Set<String> now = holds(change.after());
            before.stream()
                    .filter(tag -> !now.contains(tag))
                    .forEach(tag -> lines.add("zfs release " + quoted(tag) + " " + quoted(change.key())));
            now.stream()
                    .filter(tag -> !before.contains(tag))
                    .forEach(tag -> lines.add("zfs hold " + quoted(tag) + " " + quoted(change.key())));
        }
    }

    private static Set<String> holds(Optional<JsonObject> row) {
        return row.map(found -> JsonTools.child(found, "holds").keySet()).orElse(Set.of());
    }

    /** Says whether a snapshot that is gone or new is one that only has another name now. */
    private boolean isMoved(RowChange change) {
        if (change.before().isPresent() == change.after().isPresent()) return false;
        String guid = guid(change.before().or(change::after).orElseThrow());
        return snapshots.stream()
                .filter(other -> !other.key().equals(change.key()))
                .anyMatch(other -> other.after().isPresent() != change.after().isPresent()
                        && other.before().isPresent() != change.before().isPresent()
                        && guid(other.before().or(other::after).orElseThrow()).equals(guid));
    }

    private List<RowChange> gone(List<RowChange> changes) {
        return changes.stream()
                .filter(change -> change.after().isEmpty())
                .filter(change -> !moved.containsKey(change.key()) && !isMoved(change))
                .toList();
    }

    /** Destroys snapshots alone first, then datasets: what is below and what was cloned before what it hangs on. */
    private void destroy() {
        List<RowChange> doomed = new ArrayList<>(gone(datasets));
        Set<String> names = new HashSet<>();
        doomed.forEach(change -> names.add(change.key()));
        while (!doomed.isEmpty()) {
            RowChange next = doomed.stream()
                    .filter(change -> doomed.stream().noneMatch(other -> hangsOn(other, change.key())))
                    .findFirst()
                    .orElseGet(doomed::getFirst);
            doomed.remove(next);
            lines.add(patiently("zfs destroy -r " + quoted(next.key())));
        }
        for (RowChange change : gone(snapshots)) {
            JsonObject row = change.before().orElseThrow();
            boolean reaped = JsonTools.flag(row, "defer", false);
            if (!names.contains(JsonTools.text(row, "dataset")) && !reaped)
                lines.add("zfs destroy " + quoted(change.key()));
        }
        for (RowChange change : snapshots)
            if (change.before()
                            .filter(row -> !JsonTools.flag(row, "defer", false))
                            .isPresent()
                    && change.after()
                            .filter(row -> JsonTools.flag(row, "defer", false))
                            .isPresent()) lines.add("zfs destroy -d " + quoted(change.key()));
    }

    private static boolean hangsOn(RowChange other, String name) {
        return other.key().startsWith(name + "/")
                || JsonTools.text(other.before().orElseThrow(), "origin").startsWith(name + "@");
    }

    /** Repeats a command for some seconds: whoever used a dataset last may be about to let go of it. */
    static String patiently(String command) {
        return "i=0; until e=$(" + command
                + " 2>&1); do i=$((i + 1)); [ $i -lt 10 ] || { printf '%s\\n' \"$e\" >&2; exit 1; };"
                + " sleep 0.5; done";
    }

    private List<JsonObject> born(List<RowChange> changes) {
        return changes.stream()
                .filter(change -> change.before().isEmpty() && !moved.containsValue(change.key()))
                .filter(change -> !isMoved(change))
                .map(change -> change.after().orElseThrow())
                .filter(row -> JsonTools.text(row, "name").matches(".*[/@].*"))
                .toList();
    }

    private void change() {
        for (RowChange change : datasets) {
            if (change.after().isEmpty()) continue;
            Optional<JsonObject> before = change.before().or(() -> formerly(change.key()));
            if (before.isEmpty()) continue;
            lines.addAll(PoolProperties.changes(
                    change.key(), before.get(), change.after().get()));
        }
        for (RowChange change : snapshots)
            if (change.before().isPresent() && change.after().isPresent())
                lines.addAll(PoolProperties.changesOfUsers(
                        change.key(), change.before().get(), change.after().get()));
    }

    private Optional<JsonObject> formerly(String name) {
        return datasets.stream()
                .filter(change -> name.equals(moved.get(change.key())))
                .flatMap(change -> change.before().stream())
                .findFirst();
    }
}
