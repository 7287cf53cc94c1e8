package dev.fairlead.linstor.cluster;

import static dev.fairlead.linstor.state.LinstorJson.flag;
import static dev.fairlead.linstor.state.LinstorJson.object;
import static dev.fairlead.linstor.state.LinstorJson.text;
import static dev.fairlead.linstor.state.LinstorJson.texts;

import com.google.gson.JsonObject;
import dev.fairlead.linstor.answer.Messages;
import dev.fairlead.linstor.answer.RestAnswer;
import dev.fairlead.linstor.answer.ReturnCode;
import java.util.ArrayList;
import java.util.List;

/** Answers for the removal of replicas, of whole resources and of nodes. */
public final class Replicas {
    private static final long GONE = ReturnCode.DELETE | ReturnCode.RESOURCE;

    private final Cluster cluster;

    public Replicas(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Removes a replica; the last one too, without a word. */
    public RestAnswer delete(String definition, String node, boolean keepsTieBreaker) {
        Messages said = new Messages("RscDfn", definition, "Node", node);
        String title = "Node: %s, Resource: %s".formatted(node, definition);
        if (!cluster.has("resource/" + definition + "/" + node)) {
            return said.add(ReturnCode.WARNING | GONE | ReturnCode.NOT_FOUND_WARNING, title + " not found.")
                    .with("details", title)
                    .answer(200);
        }
        JsonObject row = cluster.replica(definition, node);
        if (flag(row, "in_use")) {
            return said.add(
                            ReturnCode.ERROR | GONE | ReturnCode.IN_USE,
                            "Resource '%s' is still in use.".formatted(definition))
                    .with("cause", "Resource is mounted/in use.")
                    .with("details", title)
                    .with("correction", "Un-mount resource '%s' on the node '%s'.".formatted(definition, node))
                    .answer(200);
        }
        if (!cluster.isDrbd(definition)) return plain(said, title, definition, node, text(row, "uuid"));
        boolean diskful = cluster.isDiskful(definition, node);
        int disks = new Placing(cluster).diskful(definition).size();
        if ((!diskful && keepsTieBreaker)
                || (diskful && disks == 3 && cluster.nodesOf(definition).size() == 3)) {
            return takenOver(said, definition, node, diskful);
        }
        replicated(said, definition, node, title, text(row, "uuid"));
        return said.answer(200);
    }

    private RestAnswer takenOver(Messages said, String definition, String node, boolean diskful) {
        SatelliteWords words = new SatelliteWords(cluster, diskful ? ReturnCode.MODIFY : ReturnCode.DELETE);
        long modified = ReturnCode.MODIFY | ReturnCode.RESOURCE | 3;
        List<String> others = others(definition, node);
        String[] refs = {"RscDfn", definition, "Node", node};
        said.add(
                ReturnCode.INFO | GONE | ReturnCode.TAKEN_OVER,
                "The given resource will not be deleted but will be taken over as a linstor managed tiebreaker resource.");
        cluster.replica(definition, node, row -> {
            row.addProperty("disk", "Diskless");
            row.addProperty("pool", Cluster.DISKLESS_POOL);
            return Cluster.flagged(row, Placing.TIE_BREAKER, List.of());
        });
        if (diskful) {
            cluster.promotion(definition, node, false);
            said.add(
                    modified, "Removal of disk from resource '%s' on node '%s' registered".formatted(definition, node));
            others.forEach(other -> words.looked(said, definition, other, refs));
            words.adjusted(said, definition, node, refs);
            said.add(modified, "Removed disk on '%s'".formatted(node));
        }
        for (String other : others) {
            words.looked(said, definition, other, refs);
            if (diskful) said.add(modified, "Notified '%s' that disk has been removed on '%s'".formatted(other, node));
            else said.add(GONE | 3, "Resource '%s' updated on node '%s'".formatted(definition, other));
        }
        words.adjusted(said, definition, node, refs);
        if (!diskful) said.add(GONE | 3, "Resource '%s' updated on node '%s'".formatted(definition, node));
        return said.answer(200);
    }

    private void replicated(Messages said, String definition, String node, String title, String uuid) {
        List<String> alone = new ArrayList<>();
        TieBreakers breakers = new TieBreakers(cluster);
        List<String> disks = new Placing(cluster).diskful(definition);
        if (disks.size() == 2 && disks.contains(node)) alone.addAll(breakers.of(definition));
        if (!alone.isEmpty()) {
            said.add(ReturnCode.INFO | GONE | ReturnCode.TIE_BREAKER_REMOVED, "Tie breaker marked for deletion");
            said.add(
                    ReturnCode.INFO | GONE | ReturnCode.QUORUM_REMOVED,
                    "Resource-definition property 'DrbdOptions/Resource/quorum' was removed as there are not enough"
                            + " resources for quorum");
            breakers.quorum(definition, "");
        }
        said.add(GONE | 2, title + " preparing for deletion.").with("details", title + " UUID is: " + uuid);
        SatelliteWords words = new SatelliteWords(cluster, ReturnCode.DELETE);
        String[] refs = {"RscDfn", definition, "Node", node};
        List<String> leaving = new ArrayList<>(List.of(node));
        leaving.addAll(alone);
        for (String each : leaving) {
            said.add(GONE | 2, "(%s) Resource '%s' [DRBD] deleted.".formatted(each, definition));
            said.add(GONE | 3, "Preparing deletion of resource on '%s'".formatted(each));
        }
        List<String> staying = others(definition, node);
        staying.removeAll(alone);
        for (String each : staying) {
            words.looked(said, definition, each, refs);
            said.add(GONE | 3, "Preparing deletion of resource on '%s'".formatted(each));
        }
        if (!alone.isEmpty())
            said.add(ReturnCode.INFO | GONE | ReturnCode.TIE_BREAKER_REMOVED, "Tie breaker marked for deletion");
        said.add(GONE | 2, title + " marked for deletion.").with("details", title + " UUID is: " + uuid);
        if (cluster.isDiskful(definition, node)) words.volumes(said, definition, node, "deleted", 2, refs);
        said.add(GONE | 3, "Cleaning up '%s' on '%s'".formatted(definition, node));
        for (String each : others(definition, node)) {
            if (!alone.contains(each)) words.looked(said, definition, each, refs);
            said.add(GONE | 3, cleaned(definition, each, node));
        }
        said.add(GONE | 2, title + " deletion complete.").with("details", title + " UUID was: " + uuid);
        remove(definition, node);
        for (String breaker : alone) {
            said.add(ReturnCode.INFO | GONE | ReturnCode.TIE_BREAKER_REMOVED, "Tie breaker marked for deletion");
            said.add(GONE | 3, "Cleaning up '%s' on '%s'".formatted(definition, breaker));
            for (String each : staying) {
                words.looked(said, definition, each, refs);
                said.add(GONE | 3, cleaned(definition, each, breaker));
            }
            remove(definition, breaker);
            String named = "Node: %s, Resource: %s".formatted(breaker, definition);
            said.add(GONE | 2, named + " deletion complete.").with("details", named + " UUID was: " + Cluster.uuid());
        }
    }

    private RestAnswer plain(Messages said, String title, String definition, String node, String uuid) {
        SatelliteWords words = new SatelliteWords(cluster, ReturnCode.DELETE);
        String[] refs = {"RscDfn", definition, "Node", node};
        said.add(GONE | 2, title + " marked for deletion.").with("details", title + " UUID is: " + uuid);
        for (String other : others(definition, node)) {
            words.looked(said, definition, other, refs);
            said.add(GONE | 3, cleaned(definition, other, node));
        }
        words.volumes(said, definition, node, "deleted", 2, refs);
        said.add(GONE | 3, "Cleaning up '%s' on '%s'".formatted(definition, node));
        said.add(GONE | 2, title + " deletion complete.").with("details", title + " UUID was: " + uuid);
        remove(definition, node);
        return said.answer(200);
    }

    private static String cleaned(String definition, String other, String node) {
        return "Notified '%s' that '%s' is being cleaned up on Node(s): [%s]".formatted(other, definition, node);
    }

    private void remove(String definition, String node) {
        cluster.rows().remove("resource/" + definition + "/" + node);
        cluster.promotion(definition, node, false);
    }

    private List<String> others(String definition, String node) {
        List<String> others = new ArrayList<>(cluster.nodesOf(definition));
        others.remove(node);
        return others;
    }

    /** Removes a definition with all its replicas. */
    public RestAnswer deleteDefinition(String name) {
        long gone = ReturnCode.DELETE | ReturnCode.DEFINITION;
        Messages said = new Messages("RscDfn", name);
        if (!cluster.has("definition/" + name)) {
            return said.add(
                            ReturnCode.WARNING | gone | ReturnCode.NOT_FOUND_WARNING,
                            "Resource definition: %s not found.".formatted(name))
                    .with("details", "Resource definition: " + name)
                    .answer(200);
        }
        if (new Snapshots(cluster).areOf(name)) {
            return said.add(
                            ReturnCode.ERROR | gone | ReturnCode.HAS_SNAPSHOTS,
                            "Cannot delete resource definition '%s' because it has snapshots.".formatted(name))
                    .with("details", "Resource definition: " + name)
                    .reported(cluster.report())
                    .answer(200);
        }
        for (String node : cluster.nodesOf(name)) {
            if (!flag(cluster.replica(name, node), "in_use")) continue;
            return said.add(
                            ReturnCode.ERROR | gone | ReturnCode.IN_USE,
                            "Resource '%s' on node '%s' is still in use.".formatted(name, node))
                    .with("cause", "Resource is mounted/in use.")
                    .with("details", "Resource definition: " + name)
                    .with("correction", "Un-mount resource '%s' on the node '%s'.".formatted(name, node))
                    .answer(200);
        }
        SatelliteWords words = new SatelliteWords(cluster, ReturnCode.DELETE);
        String uuid = text(cluster.definition(name), "uuid");
        said.add(gone | 2, "Resource definition '%s' marked for deletion.".formatted(name));
        for (String node : cluster.nodesOf(name)) {
            if (cluster.isDrbd(name)) said.add(GONE | 2, "(%s) Resource '%s' [DRBD] deleted.".formatted(node, name));
            words.volumes(said, name, node, "deleted", 2);
            said.add(gone | 3, "Resource '%s' on '%s' marked for deletion".formatted(name, node));
        }
        cluster.nodesOf(name).forEach(node -> remove(name, node));
        cluster.rows().keys("volume/" + name + "/").forEach(cluster.rows()::remove);
        cluster.rows().remove("definition/" + name);
        return said.add(gone | 2, "Resource definition '%s' deleted.".formatted(name))
                .with("details", "Resource definition '%s' UUID was: %s".formatted(name, uuid))
                .answer(200);
    }

    /** Removes a node; with all that lies there if its satellite is offline. */
    public RestAnswer deleteNode(String name, boolean lost) {
        long gone = ReturnCode.DELETE | ReturnCode.NODE;
        Messages said = new Messages("Node", name);
        if (!cluster.has("node/" + name)) {
            return said.add(
                            ReturnCode.WARNING | gone | ReturnCode.NOT_FOUND_WARNING,
                            "Deletion of node '%s' had no effect.".formatted(name))
                    .with("cause", "Node '%s' does not exist.".formatted(name))
                    .with("details", "Node: " + name)
                    .answer(200);
        }
        JsonObject row = cluster.rows().row("node/" + name).orElseThrow();
        boolean offline = lost || cluster.satellites().connection(name).equals("OFFLINE");
        said.add(gone | 2, "Node '%s' marked for deletion.".formatted(name))
                .with("details", "Node '%s' UUID is: %s".formatted(name, text(row, "uuid")));
        if (offline) {
            said.add(
                            ReturnCode.WARNING | gone | ReturnCode.NOT_CONNECTED,
                            "No active connection to satellite '%s'".formatted(name))
                    .with(
                            "details",
                            "The controller is trying to (re-) establish a connection to the satellite. The controller"
                                    + " stored the changes and as soon the satellite is connected, it will receive this"
                                    + " update.");
        }
        new Snapshots(cluster).leave(said, name);
        SatelliteWords words = new SatelliteWords(cluster, ReturnCode.DELETE);
        for (String definition : cluster.definitions()) {
            if (!cluster.nodesOf(definition).contains(name)) continue;
            said.add(gone | 3, "Deleted resource '%s' on '%s'".formatted(definition, name));
            for (String other : others(definition, name)) {
                words.looked(said, definition, other, "Node", name);
                said.add(
                        gone | 3,
                        "Notified '%s' that resource '%s' on '%s' is being deleted".formatted(other, definition, name));
            }
            remove(definition, name);
        }
        JsonObject view = new Nodes(cluster).view(name);
        List<String> flags = new ArrayList<>(texts(view, "flags"));
        flags.add("DELETE");
        view.add("flags", object("flags", flags).get("flags"));
        cluster.rows().keys("pool/" + name + "/").forEach(cluster.rows()::remove);
        cluster.rows().remove("node/" + name);
        cluster.events().publish(ClusterEvents.NODES, "node-delete", object("node", view));
        return said.add(gone | 2, "Node '%s' deleted.".formatted(name))
                .with("details", "Node '%s' UUID was: %s".formatted(name, text(row, "uuid")))
                .answer(200);
    }

    /** Answers that a replica is not known. */
    public static RestAnswer unknown(String definition, String node) {
        return new Messages()
                .add(
                        ReturnCode.ERROR | ReturnCode.NO_RESOURCE,
                        "Resource '%s' on '%s' not found.".formatted(definition, node))
                .withStatus(404);
    }
}
