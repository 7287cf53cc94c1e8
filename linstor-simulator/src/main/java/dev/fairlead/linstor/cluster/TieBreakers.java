package dev.fairlead.linstor.cluster;

import static dev.fairlead.linstor.state.LinstorJson.child;
import static dev.fairlead.linstor.state.LinstorJson.texts;

import com.google.gson.JsonObject;
import dev.fairlead.linstor.answer.Messages;
import dev.fairlead.linstor.answer.ReturnCode;
import java.util.List;
import java.util.Optional;

/** Adds a replica without a disk where two with disks need a third voice, and removes it where they do not. */
final class TieBreakers {
    private static final String QUORUM = "DrbdOptions/Resource/quorum";

    private final Cluster cluster;
    private final Placing placing;

    TieBreakers(Cluster cluster) {
        this.cluster = cluster;
        this.placing = new Placing(cluster);
    }

    /** Adds one if exactly two replicas have disks and a third node is online. */
    void balance(Messages said, String definition, long done) {
        if (placing.diskful(definition).size() != 2
                || cluster.nodesOf(definition).size() != 2) return;
        Optional<String> third = cluster.nodes().stream()
                .filter(node -> !cluster.nodesOf(definition).contains(node) && placing.isOnline(node))
                .findFirst();
        if (third.isEmpty()) return;
        placing.put(definition, third.get(), Cluster.DISKLESS_POOL, Placing.TIE_BREAKER);
        long bare = done == 0 ? 0 : ReturnCode.CREATE | ReturnCode.RESOURCE;
        said.add(
                done == 0 ? ReturnCode.CREATE | ReturnCode.RESOURCE | 1 : done | 1,
                "Successfully set property key(s): StorPoolName");
        said.add(
                ReturnCode.INFO | bare | ReturnCode.TIE_BREAKER_MADE,
                "Tie breaker resource '%s' created on %s".formatted(definition, third.get()));
        quorum(definition, "majority");
        said.add(
                ReturnCode.INFO | bare | ReturnCode.QUORUM_SET,
                "Resource-definition property '%s' updated from 'off' to 'majority' by AutoQuorum".formatted(QUORUM));
        if (done == 0) return;
        List<String> peers = placing.diskful(definition);
        SatelliteWords words = new SatelliteWords(cluster, ReturnCode.CREATE);
        words.adjusted(said, definition, third.get());
        said.add(
                done | 3,
                "Added peer(s) %s to resource '%s' on '%s'"
                        .formatted(
                                String.join(
                                        ", ",
                                        peers.stream().map("'%s'"::formatted).toList()),
                                definition,
                                third.get()));
    }

    /** Returns the nodes that only break ties for a resource. */
    List<String> of(String definition) {
        return cluster.nodesOf(definition).stream()
                .filter(node ->
                        texts(cluster.replica(definition, node), "flags").contains("TIE_BREAKER"))
                .toList();
    }

    void quorum(String definition, String value) {
        JsonObject row = cluster.definition(definition);
        JsonObject props = child(row, "props").deepCopy();
        if (value.isEmpty()) props.remove(QUORUM);
        else props.addProperty(QUORUM, value);
        row.add("props", props);
        cluster.rows().put("definition/" + definition, row);
    }
}
