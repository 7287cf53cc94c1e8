package dev.fairlead.linstor.cluster;

import static dev.fairlead.linstor.state.LinstorJson.flag;
import static dev.fairlead.linstor.state.LinstorJson.number;
import static dev.fairlead.linstor.state.LinstorJson.object;
import static dev.fairlead.linstor.state.LinstorJson.text;
import static dev.fairlead.linstor.state.LinstorJson.texts;

import com.google.gson.JsonObject;
import dev.fairlead.linstor.answer.Messages;
import dev.fairlead.linstor.answer.RestAnswer;
import dev.fairlead.linstor.answer.ReturnCode;
import java.util.ArrayList;
import java.util.List;

/** Moves data from node to node, step by step as a real cluster does: what is half done is seen by everybody. */
public final class Moves {
    /** The milliseconds after which a real one took the flags of a replica away that had no data yet. */
    private static final long FLAGS_GONE = 1700;

    private static final long SYNCED = 10500;
    private static final long DISK_GONE = 11350;
    private static final long REPLICA_GONE = 11900;

    private static final List<String> ADDING = List.of("DISK_ADD_REQUESTED", "DISK_ADDING");

    private final Cluster cluster;
    private final Placing placing;

    public Moves(Cluster cluster) {
        this.cluster = cluster;
        this.placing = new Placing(cluster);
    }

    /** Begins to move all that has DRBD away from a node; plain storage stays. */
    public RestAnswer evacuate(String node) {
        if (!cluster.has("node/" + node)) return Nodes.unknown(node);
        Messages said = new Messages();
        List<String> here = cluster.definitions().stream()
                .filter(rd -> cluster.nodesOf(rd).contains(node))
                .toList();
        for (String definition : here) {
            if (cluster.isDrbd(definition)) continue;
            said.add(
                    ReturnCode.WARNING | ReturnCode.NOT_EVACUATED,
                    "Resource '%s' cannot be evacuated as it is not a DRBD resource".formatted(definition));
        }
        mark("node/" + node, List.of("EVACUATE"), List.of());
        for (String definition : here) {
            if (!cluster.isDrbd(definition)) continue;
            cluster.replica(definition, node, row -> Cluster.flagged(row, List.of("EVACUATE"), List.of()));
            target(definition, node).ifPresent(to -> {
                added(said, definition, to);
                step(FLAGS_GONE, "flags", definition, to);
                step(SYNCED, "synced", definition, to);
                step(SYNCED, "leaving", definition, node);
                step(DISK_GONE, "detached", definition, node);
                step(REPLICA_GONE, "removed", definition, node);
            });
        }
        cluster.events().publish(ClusterEvents.NODES, "node-evacuate", object("node", new Nodes(cluster).view(node)));
        if (said.answer(200).text().equals("[]")) {
            said.add(ReturnCode.MODIFY | ReturnCode.NODE | 3, "Node '%s' evacuated".formatted(node));
        }
        return said.answer(200);
    }

    private java.util.Optional<String> target(String definition, String from) {
        List<String> there = cluster.nodesOf(definition);
        return java.util.stream.Stream.concat(
                        new TieBreakers(cluster).of(definition).stream(),
                        cluster.nodes().stream().filter(node -> !there.contains(node)))
                .filter(node -> !node.equals(from) && placing.isOnline(node))
                .filter(node -> !placing.pools(node, "").isEmpty())
                .findFirst();
    }

    /** Adds a disk to a replica that has none. */
    public RestAnswer addDisk(String definition, String node, String pool) {
        if (!cluster.nodesOf(definition).contains(node)) return Replicas.unknown(definition, node);
        Messages said = new Messages("RscDfn", definition, "Node", node);
        added(said, definition, node);
        cluster.replica(definition, node, row -> {
            row.addProperty("pool", pool);
            return row;
        });
        step(FLAGS_GONE, "flags", definition, node);
        step(SYNCED, "synced", definition, node);
        return said.answer(200);
    }

    private void added(Messages said, String definition, String node) {
        String[] refs = {"RscDfn", definition, "Node", node};
        if (!cluster.nodesOf(definition).contains(node)) {
            placing.put(definition, node, placing.pools(node, "").getFirst(), Placing.DISKLESS);
        }
        cluster.replica(definition, node, row -> {
            row.addProperty("pool", placing.pools(node, "").getFirst());
            return Cluster.flagged(row, ADDING, List.of());
        });
        long modified = ReturnCode.MODIFY | ReturnCode.RESOURCE | 3;
        SatelliteWords words = new SatelliteWords(cluster, ReturnCode.MODIFY);
        List<String> others = new ArrayList<>(cluster.nodesOf(definition));
        others.remove(node);
        said.add(
                modified,
                "Addition of disk to resource '%s' on node '%s' registered".formatted(definition, node),
                refs);
        words.adjusted(said, definition, node, refs);
        for (String other : others) {
            words.looked(said, definition, other, refs);
            said.add(modified, "Prepared '%s' to expect disk on '%s'".formatted(other, node), refs);
        }
        others.forEach(other -> words.looked(said, definition, other, refs));
        words.volumes(said, definition, node, "created", 1, refs);
        words.adjusted(said, definition, node, refs);
        said.add(modified, "Added disk on '%s'".formatted(node), refs);
    }

    /** Calls an evacuation off, or takes a node back. */
    public RestAnswer restore(String node) {
        if (!cluster.has("node/" + node)) return Nodes.unknown(node);
        Messages said = new Messages();
        SatelliteWords words = new SatelliteWords(cluster, 0);
        mark("node/" + node, List.of(), List.of("EVACUATE", "EVICTED"));
        for (String definition : cluster.definitions()) {
            if (!cluster.nodesOf(definition).contains(node)) continue;
            cluster.replica(definition, node, row -> Cluster.flagged(row, List.of(), List.of("EVACUATE")));
            for (String each : cluster.nodesOf(definition)) {
                words.looked(said, definition, each);
                said.add(3, "Resource restored on '%s'".formatted(each));
            }
        }
        said.add(ReturnCode.NODE, "Successfully restored node " + node);
        TieBreakers breakers = new TieBreakers(cluster);
        cluster.definitions().stream().filter(cluster::isDrbd).forEach(rd -> breakers.balance(said, rd, 0));
        cluster.events().publish(ClusterEvents.NODES, "node-restored", object("node", new Nodes(cluster).view(node)));
        return said.answer(200);
    }

    /** Carries out what is due; says whether there was anything. */
    public boolean advance() {
        boolean any = false;
        for (String key : cluster.rows().keys("step/")) {
            JsonObject step = cluster.rows().row(key).orElseThrow();
            if (number(step, "at", 0) > cluster.now()) continue;
            cluster.rows().remove(key);
            carryOut(text(step, "what"), text(step, "definition"), text(step, "node"));
            any = true;
        }
        return any;
    }

    private void carryOut(String what, String definition, String node) {
        if (!cluster.has("resource/" + definition + "/" + node)) return;
        switch (what) {
            case "flags" ->
                cluster.replica(definition, node, row -> {
                    List<String> gone = new ArrayList<>(ADDING);
                    gone.addAll(Placing.TIE_BREAKER);
                    return Cluster.flagged(row, List.of(), gone);
                });
            case "synced" -> {
                cluster.replica(definition, node, row -> disk(row, "UpToDate"));
                cluster.promotion(definition, node, true);
            }
            case "leaving" -> {
                if (isEvacuated(definition, node))
                    cluster.replica(definition, node, row -> Cluster.flagged(row, List.of("DELETE"), List.of()));
            }
            case "detached" -> {
                if (isEvacuated(definition, node)) cluster.replica(definition, node, row -> disk(row, ""));
            }
            default -> {
                if (!isEvacuated(definition, node)) return;
                cluster.rows().remove("resource/" + definition + "/" + node);
                cluster.promotion(definition, node, false);
            }
        }
    }

    private boolean isEvacuated(String definition, String node) {
        JsonObject row = cluster.replica(definition, node);
        return texts(row, "flags").contains("EVACUATE") && !flag(row, "in_use");
    }

    private static JsonObject disk(JsonObject row, String state) {
        row.addProperty("disk", state);
        return row;
    }

    private void step(long after, String what, String definition, String node) {
        String key = "step/%09d".formatted(cluster.next("step"));
        long at = cluster.now() + cluster.takes(after);
        cluster.rows().put(key, object("at", at, "what", what, "definition", definition, "node", node));
    }

    private void mark(String key, List<String> added, List<String> removed) {
        JsonObject row = cluster.rows().row(key).orElseThrow();
        cluster.rows().put(key, Cluster.flagged(row, added, removed));
    }
}
