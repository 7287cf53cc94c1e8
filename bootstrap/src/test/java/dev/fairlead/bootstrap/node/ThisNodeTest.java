package dev.fairlead.bootstrap.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.domain.topology.NodeTopologyRule;
import dev.fairlead.domain.topology.NodeTopologyRule.TextSource;
import dev.fairlead.domain.topology.NodeTopologyRules;
import dev.fairlead.domain.topology.TopologyPrefix;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a node's log says of its place, which kubelet asks for once and keeps. */
class ThisNodeTest {
    private static final String NOWHERE = "no rule of proxy.nodeTopology gives a label on this node";

    private final Logger logger = (Logger) LoggerFactory.getLogger(ThisNode.class);
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();

    @TempDir
    Path root = Path.of("/nonexistent");

    @BeforeEach
    void listen() {
        said.start();
        logger.setLevel(Level.WARN); // commands that other tests run set the level of all
        logger.addAppender(said);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(said);
        logger.setLevel(null);
    }

    /** A node called {@code node-1} in the room {@code --}, which no label can have as its value. */
    private ThisNode node(NodeTopologyRule... rules) {
        return new ThisNode(
                new LinuxNodeFacts(Map.of("CSI_NODE_ID", "node-1", "ROOM", "--"), root),
                Optional.empty(),
                Optional.of(new NodeTopologyRules(NodeTopologyRules.Type.ZONE, TopologyPrefix.DEFAULT, List.of(rules))),
                _ -> Map.of(),
                new PoolLabels(Optional.empty(), Map::of, Announcer.NONE),
                0);
    }

    private static NodeTopologyRule byName(String key, String regex) {
        return NodeTopologyRule.of(key, TextSource.NODE_NAME, regex, "{match:0}");
    }

    private static NodeTopologyRule byRoom() {
        return NodeTopologyRule.of("room", new TextSource.Env("ROOM"), NodeTopologyRule.ANYTHING, "{match:0}");
    }

    private List<String> warnings() {
        return said.list.stream()
                .filter(event -> event.getLevel().equals(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void a_node_that_no_rule_gives_a_label_registers_without_a_place_and_warns_of_it() {
        var description = node(byName("zone", "other-.*")).describe();

        assertThat(description.topology().orElseThrow().labels()).isEmpty();
        assertThat(warnings())
                .singleElement()
                .satisfies(text -> assertThat(text).contains(NOWHERE, "volumes that need one are not for it"));
    }

    @Test
    void one_label_is_a_place() {
        var description =
                node(byName("zone", "other-.*"), byName("rack", "node-.*")).describe();

        assertThat(description.topology().orElseThrow().labels()).hasSize(1);
        assertThat(warnings()).isEmpty();
    }

    @Test
    void a_value_that_no_label_can_have_is_warned_of_by_its_key() {
        node(byRoom(), byName("rack", "node-.*")).describe();

        assertThat(warnings()).containsExactly("a rule of proxy.nodeTopology gives no label on this node");
        assertThat(said.list)
                .anySatisfy(event -> assertThat(event.getKeyValuePairs())
                        .anySatisfy(pair -> assertThat(pair.value).isEqualTo("room")));
    }
}
