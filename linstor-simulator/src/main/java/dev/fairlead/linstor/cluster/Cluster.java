package dev.fairlead.linstor.cluster;

import static dev.fairlead.linstor.state.LinstorJson.flag;
import static dev.fairlead.linstor.state.LinstorJson.list;
import static dev.fairlead.linstor.state.LinstorJson.number;
import static dev.fairlead.linstor.state.LinstorJson.object;
import static dev.fairlead.linstor.state.LinstorJson.texts;

import com.google.gson.JsonObject;
import dev.fairlead.linstor.state.LinstorRows;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Holds what all parts of a simulated cluster share: its rows, its satellites, its events and its clock. */
public final class Cluster {
    /** The pool of those replicas that have no disk. */
    static final String DISKLESS_POOL = "DfltDisklessStorPool";

    private final LinstorRows rows;
    private final Satellites satellites;
    private final ClusterEvents events = new ClusterEvents();
    private final double pace;

    /** @param pace how long things take, as a share of what they took on a real one; 0 is at once */
    public Cluster(LinstorRows rows, double pace) {
        this.rows = rows;
        this.pace = pace;
        this.satellites = new Satellites(System::currentTimeMillis, pace);
    }

    public LinstorRows rows() {
        return rows;
    }

    public Satellites satellites() {
        return satellites;
    }

    public ClusterEvents events() {
        return events;
    }

    /** Returns how long something takes here that takes so many milliseconds on a real one. */
    public long takes(long millis) {
        return (long) (millis * pace);
    }

    long now() {
        return System.currentTimeMillis();
    }

    static String uuid() {
        return UUID.randomUUID().toString();
    }

    /** Returns the number of a new error report, which can be listed from then on. */
    public String report() {
        String id = "6B035528-00000-%06d".formatted(next("report"));
        JsonObject report = object("node_name", "Controller", "error_time", now(), "module", "CONTROLLER");
        report.addProperty("filename", "ErrorReport-" + id + ".log");
        report.addProperty("version", "1.33.1-203");
        report.addProperty("exception", "LinStorException");
        report.addProperty("exception_message", "(of a simulated controller)");
        report.addProperty("origin_file", "Cluster.java");
        report.addProperty("origin_method", "report");
        report.addProperty("origin_line", 1);
        rows.put("report/" + id, report);
        return id;
    }

    /** Returns the next number of a kind, which is never handed out again. */
    long next(String kind) {
        JsonObject row = rows.row("counter/" + kind).orElseGet(JsonObject::new);
        long number = number(row, "next", 0);
        rows.put("counter/" + kind, object("next", number + 1));
        return number;
    }

    /** Says whether the kernels of the nodes have DRBD. */
    boolean hasDrbd() {
        return rows.row("option/drbd").map(row -> flag(row, "on")).orElse(true);
    }

    /** Loads DRBD on all nodes, or takes it away. */
    public void drbd(boolean on) {
        rows.put("option/drbd", object("on", on));
    }

    boolean has(String key) {
        return rows.row(key).isPresent();
    }

    JsonObject definition(String name) {
        return rows.row("definition/" + name).orElseThrow(() -> new IllegalStateException("no definition " + name));
    }

    /** Returns the names of the nodes that have this resource, in order. */
    List<String> nodesOf(String definition) {
        String prefix = "resource/" + definition + "/";
        return rows.keys(prefix).stream()
                .map(key -> key.substring(prefix.length()))
                .toList();
    }

    List<String> nodes() {
        return rows.keys("node/").stream()
                .map(key -> key.substring("node/".length()))
                .toList();
    }

    List<String> definitions() {
        return rows.keys("definition/").stream()
                .map(key -> key.substring("definition/".length()))
                .toList();
    }

    JsonObject replica(String definition, String node) {
        return rows.row("resource/" + definition + "/" + node)
                .orElseThrow(() -> new IllegalStateException("no replica of " + definition + " on " + node));
    }

    /** Changes a replica if it is there. */
    void replica(String definition, String node, UnaryOperator<JsonObject> change) {
        String key = "resource/" + definition + "/" + node;
        rows.row(key).ifPresent(row -> rows.put(key, change.apply(row)));
    }

    boolean isDrbd(String definition) {
        return texts(definition(definition), "layers").contains("DRBD");
    }

    List<JsonObject> volumes(String definition) {
        return rows.below("volume/" + definition + "/");
    }

    /** Says whether a replica has a disk, or will have one. */
    boolean isDiskful(String definition, String node) {
        return !texts(replica(definition, node), "flags").contains("DISKLESS");
    }

    static JsonObject flagged(JsonObject row, List<String> added, List<String> removed) {
        List<String> flags = new ArrayList<>(texts(row, "flags"));
        flags.removeAll(removed);
        added.stream().filter(flag -> !flags.contains(flag)).forEach(flags::add);
        flags.sort(String::compareTo);
        row.add("flags", list(flags));
        return row;
    }

    /** Tells those who listen where a resource may become primary. */
    void promotion(String definition, String node, boolean may) {
        JsonObject data = object("resource_name", definition, "node_name", node);
        if (may) data.addProperty("may_promote", true);
        events.publish(ClusterEvents.PROMOTION, "may-promote-change", data);
    }
}
