package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.VolumePlacement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterNodesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final List<String> asked = new ArrayList<>();

    @Test
    void one_place_with_a_node_is_enough_and_an_answer_is_kept() {
        ClusterNodes nodes = new ClusterNodes(having("example.com/host in (b)"), PATIENCE);

        assertThat(nodes.obstacle(SimulatedVolumes.on("a", "b"))).isEmpty();
        assertThat(nodes.obstacle(SimulatedVolumes.on("b"))).isEmpty();
        assertThat(nodes.obstacle(SimulatedVolumes.on("a")))
                .hasValueSatisfying(why -> assertThat(why).contains("no node", "example.com/host in (a)"));
        assertThat(asked).containsExactly("example.com/host in (a)", "example.com/host in (b)");
    }

    @Test
    void each_node_with_a_label_and_every_node_are_asked_as_they_are() {
        NodeAffinity labelled = NodeAffinity.of(new VolumePlacement.Labelled("example.com/host"))
                .orElseThrow();

        assertThat(new ClusterNodes(having("example.com/host"), PATIENCE).obstacle(labelled))
                .isEmpty();
        assertThat(new ClusterNodes(having(), PATIENCE).obstacle(labelled)).isPresent();
        assertThat(new ClusterNodes(having(), PATIENCE).obstacle(NodeAffinity.UNSET))
                .isEmpty();
    }

    @Test
    void a_server_that_does_not_say_makes_it_wait() {
        ApiCalls refusing = (_, _) -> new ApiAnswer.Refused(403, "Forbidden", "nodes is forbidden");

        assertThat(new ClusterNodes(refusing, PATIENCE).obstacle(SimulatedVolumes.on("a")))
                .hasValueSatisfying(why -> assertThat(why).contains("cannot be read", "403 nodes is forbidden"));
    }

    private ApiCalls having(String... selectors) {
        Set<String> known = Set.of(selectors);
        return (request, _) -> {
            String selector = request.query().getOrDefault("labelSelector", "");
            asked.add(selector);
            JsonArray items = new JsonArray();
            if (known.contains(selector)) {
                items.add(new JsonObject());
            }
            JsonObject list = new JsonObject();
            list.add("items", items);
            return new ApiAnswer.Done(list);
        };
    }
}
