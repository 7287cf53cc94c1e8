package dev.fairlead.linstor.cluster;

import static dev.fairlead.linstor.state.LinstorJson.child;
import static dev.fairlead.linstor.state.LinstorJson.number;
import static dev.fairlead.linstor.state.LinstorJson.object;
import static dev.fairlead.linstor.state.LinstorJson.text;
import static dev.fairlead.linstor.state.LinstorJson.texts;

import com.google.gson.JsonObject;
import dev.fairlead.linstor.answer.Messages;
import dev.fairlead.linstor.answer.RestAnswer;
import dev.fairlead.linstor.answer.ReturnCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Answers for where replicas go: by LINSTOR's choice, or on a node that is named. */
public final class Placing {
    static final List<String> DISKLESS = List.of("DISKLESS", "DRBD_DISKLESS");
    static final List<String> TIE_BREAKER = List.of("DISKLESS", "DRBD_DISKLESS", "TIE_BREAKER");

    private static final long MADE = ReturnCode.CREATE | ReturnCode.RESOURCE;
    private static final String SET = "Successfully set property key(s): StorPoolName";

    private final Cluster cluster;

    public Placing(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Places replicas until there are so many. */
    public RestAnswer autoplace(String definition, JsonObject body) {
        if (!cluster.has("definition/" + definition)) return Definitions.unknown(definition);
        JsonObject filter = child(body, "select_filter");
        JsonObject group = child(
                cluster.rows()
                        .row("group/" + text(cluster.definition(definition), "group"))
                        .orElseGet(JsonObject::new),
                "select_filter");
        long count = number(filter, "place_count", number(group, "place_count", 2));
        String pool =
                text(group, "storage_pool").isEmpty() ? text(filter, "storage_pool") : text(group, "storage_pool");
        List<String> there = diskful(definition);
        Messages said = new Messages("RscDfn", definition);
        if (there.size() >= count) {
            return said.add(
                            ReturnCode.WARNING | MADE | ReturnCode.ALREADY_DEPLOYED,
                            "Resource '%s' was already deployed on %d nodes. Skipping."
                                    .formatted(definition, there.size()))
                    .with(
                            "details",
                            "Used nodes: %s\nAuto-placing resource: %s"
                                    .formatted(String.join(", ", quoted(there)), definition))
                    .answer(201);
        }
        List<String> wanted = texts(filter, "node_name_list");
        List<String> free = cluster.nodes().stream()
                .filter(node -> wanted.isEmpty() || wanted.contains(node))
                .filter(node -> !cluster.nodesOf(definition).contains(node))
                .filter(node -> isOnline(node) && !pools(node, pool).isEmpty())
                .sorted(Comparator.comparingLong(this::replicas)) // the emptiest pool first
                .limit(count - there.size())
                .toList();
        boolean able = !cluster.isDrbd(definition) || cluster.hasDrbd();
        if (!able || free.size() < count - there.size()) return tooFew(said, definition, pool, count, there.size());
        return placed(said, definition, pool, free);
    }

    private long replicas(String node) {
        return cluster.definitions().stream()
                .filter(rd -> cluster.nodesOf(rd).contains(node))
                .count();
    }

    private RestAnswer placed(Messages said, String definition, String pool, List<String> nodes) {
        List<String> others = cluster.nodesOf(definition);
        List<String> used = new ArrayList<>();
        List<String> references = new ArrayList<>();
        for (int at = 0; at < nodes.size(); at++) {
            String chosen = pools(nodes.get(at), pool).getFirst();
            put(definition, nodes.get(at), chosen, List.of());
            said.add(MADE | 1, SET);
            used.add("'%s (%s)'".formatted(nodes.get(at), chosen));
            references.addAll(List.of("StoragePool/" + at + "/0", chosen + "," + kind(nodes.get(at), chosen)));
            references.addAll(List.of("Node/" + at, nodes.get(at)));
        }
        said.add(
                        MADE | 1,
                        "Resource '%s' successfully autoplaced on %d nodes".formatted(definition, nodes.size()),
                        references.toArray(String[]::new))
                .with("details", "Used nodes (storage pool name): " + String.join(", ", used));
        List<String> all = cluster.nodesOf(definition);
        if (all.stream().anyMatch(cluster.satellites()::isMute)) {
            // The effect is there, and the answer is an error.
            for (String node : all) {
                said.add(
                                ReturnCode.ERROR | MADE | ReturnCode.UNKNOWN_ERROR,
                                "(%s) No response generated by handler.".formatted(node))
                        .with("details", "In API call 'ChangedRsc'.");
            }
            return said.answer(201);
        }
        TieBreakers breakers = new TieBreakers(cluster);
        if (cluster.isDrbd(definition)) {
            said.add(ReturnCode.INFO | MADE, "Updated %s DRBD auto verify algorithm to 'sha512'".formatted(definition));
            breakers.balance(said, definition, MADE);
        }
        told(said, definition, nodes, others);
        return said.answer(201);
    }

    private void told(Messages said, String definition, List<String> fresh, List<String> others) {
        SatelliteWords words = new SatelliteWords(cluster, ReturnCode.CREATE);
        for (String node : others) {
            words.looked(said, definition, node);
            said.add(
                    MADE | 3,
                    "Added peer(s) %s to resource '%s' on '%s'"
                            .formatted(String.join(", ", quoted(fresh)), definition, node));
        }
        for (String node : fresh) {
            words.volumes(said, definition, node, "created", 1);
            words.adjusted(said, definition, node);
            said.add(MADE | 3, "Created resource '%s' on '%s'".formatted(definition, node));
            if (cluster.isDrbd(definition)) {
                said.add(MADE | 1, "Resource '%s' on '%s' ready".formatted(definition, node))
                        .with("details", "Auto-placing resource: " + definition);
            }
        }
    }

    private RestAnswer tooFew(Messages said, String definition, String pool, long count, long there) {
        JsonObject volume = cluster.volumes(definition).stream().findFirst().orElseGet(JsonObject::new);
        List<String> layers = texts(cluster.definition(definition), "layers");
        String details = """
                Not enough nodes fulfilling the following auto-place criteria:
                 * has a deployed storage pool named [%s]
                 * the storage pools have to have at least '%s' free space
                 * the current access context has enough privileges to use the node and the storage pool
                 * the node is online

                Auto-place configuration details:
                   Replica count: %d
                   Additional replica count: %d
                   Storage pool name:
                      %s
                   Do not place with resource:
                      %s
                   Layer stack:
                      %s
                   Diskless on remaining: false

                Auto-placing resource: %s""".formatted(
                        pool,
                        text(volume, "size_kib"),
                        count,
                        count - there,
                        pool,
                        definition,
                        String.join("\n      ", layers),
                        definition);
        return said.add(ReturnCode.ERROR | MADE | ReturnCode.NOT_ENOUGH_NODES, "Not enough available nodes")
                .with("details", details)
                .answer(201);
    }

    /**
     * Makes a resource available on a node; plain storage makes a second, empty replica even if none with a disk is
     * wanted.
     */
    public RestAnswer makeAvailable(String definition, String node, JsonObject body) {
        Messages said = new Messages("RscDfn", definition, "Node", node);
        if (!cluster.has("node/" + node)) {
            return said.add(ReturnCode.ERROR | MADE | ReturnCode.NO_NODE, "Node '%s' not found.".formatted(node))
                    .with("cause", "The specified node '%s' could not be found in the database".formatted(node))
                    .with("details", "Node: %s, Resource: '%s'".formatted(node, definition))
                    .with("correction", "Create a node with the name '%s' first.".formatted(node))
                    .withStatus(404);
        }
        if (!cluster.has("definition/" + definition)) return Definitions.unknown(definition);
        boolean diskful = text(body, "diskful").equals("true");
        if (cluster.nodesOf(definition).contains(node)) {
            if (!diskful) {
                cluster.replica(definition, node, row -> Cluster.flagged(row, List.of(), List.of("TIE_BREAKER")));
            } else if (!cluster.isDiskful(definition, node)) {
                return new Moves(cluster)
                        .addDisk(definition, node, pools(node, "").getFirst());
            }
            return said.add(MADE, "Resource already deployed as requested").answer(200);
        }
        List<String> others = cluster.nodesOf(definition);
        boolean diskless = cluster.isDrbd(definition) && !diskful;
        String pool = diskless ? Cluster.DISKLESS_POOL : pools(node, "").getFirst();
        put(definition, node, pool, diskless ? DISKLESS : List.of());
        JsonObject row = cluster.replica(definition, node);
        said.add(MADE | 1, SET);
        said.add(
                        MADE | 1,
                        "New resource '%s' on node '%s' registered.".formatted(definition, node),
                        "UUID",
                        text(row, "uuid"))
                .with(
                        "details",
                        "Resource '%s' on node '%s' UUID is: %s".formatted(definition, node, text(row, "uuid")));
        for (JsonObject volume : cluster.volumes(definition)) {
            String number = text(volume, "volume_number");
            said.add(
                            ReturnCode.CREATE | ReturnCode.VOLUME | 1,
                            "Volume with number '%s' on resource '%s' on node '%s' successfully registered"
                                    .formatted(number, definition, node),
                            "VlmNr",
                            number)
                    .with("details", "Volume UUID is: " + text(row, "volume_uuid"));
        }
        told(said, definition, List.of(node), others);
        return said.answer(200);
    }

    /** Puts a replica there whose disk is ready at once. */
    void put(String definition, String node, String pool, List<String> flags) {
        boolean mute = cluster.satellites().isMute(node);
        String disk = flags.contains("DISKLESS") ? "Diskless" : "UpToDate";
        JsonObject row = object(
                "flags",
                flags,
                "pool",
                pool,
                "disk",
                disk,
                "device",
                mute ? "" : device(definition),
                "uuid",
                Cluster.uuid(),
                "volume_uuid",
                Cluster.uuid(),
                "in_use",
                false,
                "created",
                cluster.now());
        cluster.rows().put("resource/" + definition + "/" + node, row);
        if (cluster.isDrbd(definition)) cluster.promotion(definition, node, !flags.contains("DISKLESS"));
    }

    /** Gives devices to those replicas whose satellites failed at making them. */
    public void repair() {
        for (String definition : cluster.definitions()) {
            for (String node : cluster.nodesOf(definition)) {
                cluster.replica(definition, node, row -> {
                    if (text(row, "device").isEmpty()) row.addProperty("device", device(definition));
                    return row;
                });
            }
        }
    }

    private String device(String definition) {
        return cluster.isDrbd(definition)
                ? "/dev/drbd" + (1000 + cluster.next("drbd"))
                : "/dev/loop" + (3 + cluster.next("loop"));
    }

    List<String> diskful(String definition) {
        return cluster.nodesOf(definition).stream()
                .filter(node -> cluster.isDiskful(definition, node))
                .toList();
    }

    boolean isOnline(String node) {
        return cluster.satellites().connection(node).equals("ONLINE")
                && !texts(cluster.rows().row("node/" + node).orElseThrow(), "flags")
                        .contains("EVACUATE");
    }

    /** Returns the pools of a node, or the one of this name. */
    List<String> pools(String node, String name) {
        String prefix = "pool/" + node + "/";
        return cluster.rows().keys(prefix).stream()
                .map(key -> key.substring(prefix.length()))
                .filter(pool -> name.isEmpty() || pool.equals(name))
                .toList();
    }

    private String kind(String node, String pool) {
        return text(cluster.rows().row("pool/" + node + "/" + pool).orElseThrow(), "kind");
    }

    private static List<String> quoted(List<String> names) {
        return names.stream().map("'%s'"::formatted).toList();
    }
}
