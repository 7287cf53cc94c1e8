package dev.fairlead.linstor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How streams of events go wrong on request. */
class BrokenStreamsTest {
    private static final String NODES = "/v1/events/nodes";

    @TempDir
    private Path folder;

    private LinstorSimulator simulator;
    private ThreeNodes cluster;

    @BeforeEach
    void up() throws Exception {
        simulator = LinstorSimulator.start(folder, 0, 0, 0);
        cluster = ThreeNodes.of(simulator);
    }

    @AfterEach
    void down() {
        simulator.close();
    }

    @Test
    void a_silent_one_says_nothing_of_what_happens() throws Exception {
        fault("nothing");
        try (Listening silent = Listening.to(simulator.url() + NODES);
                Listening other = Listening.to(simulator.url() + NODES)) {
            change();

            assertThat(other.next()).isEqualTo("event: node-modified");
            assertThat(silent.next(300)).isEqualTo("nothing");
        }
    }

    @Test
    void one_breaks_off_in_the_middle_of_an_event() throws Exception {
        fault("half-text");
        try (Listening cut = Listening.to(simulator.url() + NODES)) {
            change();

            assertThat(cut.next()).isEqualTo("event: node-modified");
            assertThat(cut.next()).startsWith("data: {\"old_node\"").doesNotContain("new_node");
            assertThat(cut.next()).isEqualTo("ended");
        }
    }

    @Test
    void a_page_comes_instead_of_one() throws Exception {
        fault("html");

        assertThat(cluster.call("GET", NODES, "")).startsWith("200 <html>");
    }

    private void fault(String kind) {
        simulator.fault("{\"kind\": \"%s\", \"on\": \"GET /v1/events\", \"times\": 1}".formatted(kind));
    }

    private void change() throws Exception {
        cluster.call("PUT", "/v1/nodes/node-1", "{\"override_props\": {\"Aux/x\": \"1\"}}");
    }
}
