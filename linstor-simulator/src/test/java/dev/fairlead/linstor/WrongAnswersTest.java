package dev.fairlead.linstor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
import dev.fairlead.linstor.check.LinstorCheck;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong on request between a controller and those who ask it. */
class WrongAnswersTest {
    private static final String VIEW = "/v1/view/resources";

    @TempDir
    private Path folder;

    private LinstorSimulator simulator;
    private ThreeNodes cluster;

    @BeforeEach
    void up() throws Exception {
        int standby;
        try (ServerSocket free = new ServerSocket(0)) {
            standby = free.getLocalPort();
        }
        simulator = LinstorSimulator.start(folder, 0, standby, 0);
        cluster = ThreeNodes.of(simulator);
        cluster.replicated("vol-1", "node-2", "node-3");
    }

    @AfterEach
    void down() {
        simulator.close();
    }

    @Test
    void passes_the_check_that_any_linstor_is_held_to_and_is_left_as_it_was() throws Exception {
        String before = cluster.call("GET", "/v1/resource-definitions", "");

        assertThat(new LinstorCheck(simulator.url()).differences()).isEmpty();
        assertThat(cluster.call("GET", "/v1/resource-definitions", "")).isEqualTo(before);
    }

    @Test
    void a_check_names_what_differs() throws Exception {
        simulator.fault("{\"kind\": \"html\", \"on\": \"GET /v1/nothing\"}");

        assertThat(new LinstorCheck(simulator.url()).differences())
                .anyMatch(difference -> difference.startsWith("unknown-path") && difference.contains("status"));
    }

    @Test
    void html_nothing_and_half_answers_come_as_often_as_they_are_asked_for() throws Exception {
        for (String kind : new String[] {"html", "nothing", "half-text"}) {
            simulator.fault("{\"kind\": \"%s\", \"on\": \"GET %s\", \"times\": 1}".formatted(kind, VIEW));
            String wrong = cluster.call("GET", VIEW, "").substring(4);
            assertThat(wrong)
                    .satisfiesAnyOf(
                            text -> assertThat(text).isEmpty(),
                            text -> assertThatThrownBy(
                                            () -> JsonParser.parseString(text).getAsJsonArray())
                                    .isInstanceOf(RuntimeException.class));
            assertThat(cluster.call("GET", VIEW, "")).startsWith("200 [{");
        }
    }

    @Test
    void half_a_list_is_well_formed_and_what_is_there_is_missing() throws Exception {
        simulator.fault("{\"kind\": \"half-list\", \"on\": \"GET %s\", \"times\": 1}".formatted(VIEW));

        assertThat(JsonParser.parseString(cluster.call("GET", VIEW, "").substring(4))
                        .getAsJsonArray())
                .hasSize(1);
        assertThat(JsonParser.parseString(cluster.call("GET", VIEW, "").substring(4))
                        .getAsJsonArray())
                .hasSize(3);
    }

    @Test
    void a_stale_answer_is_the_former_one() throws Exception {
        String former = cluster.call("GET", VIEW, "");
        simulator.fault("{\"kind\": \"stale\", \"on\": \"GET %s\", \"times\": 1}".formatted(VIEW));
        cluster.call("DELETE", "/v1/resource-definitions/vol-1/resources/node-1", "");

        assertThat(cluster.call("GET", VIEW, "")).isEqualTo(former);
        assertThat(cluster.call("GET", VIEW, "")).isNotEqualTo(former);
    }

    @Test
    void an_error_may_have_had_its_effect() throws Exception {
        simulator.fault("{\"kind\": \"wordless\", \"on\": \"PUT\", \"times\": 1}");

        assertThat(cluster.call("PUT", "/v1/nodes/node-1", "{\"override_props\": {\"Aux/x\": \"1\"}}"))
                .startsWith("500 ");
        assertThat(cluster.call("GET", "/v1/nodes/node-1", "")).contains("Aux/x");
    }

    @Test
    void the_other_controller_takes_over_in_the_middle_of_a_call() throws Exception {
        var former = simulator.url();
        simulator.fault("{\"kind\": \"switch\", \"on\": \"PUT\", \"times\": 1}");

        assertThatThrownBy(() -> cluster.call("PUT", "/v1/nodes/node-1", "{\"override_props\": {\"Aux/x\": \"1\"}}"))
                .isInstanceOf(IOException.class);
        Thread.sleep(300);
        assertThat(simulator.url()).isNotEqualTo(former);
        assertThat(cluster.call("GET", "/v1/nodes/node-1", "")).contains("Aux/x");
    }

    @Test
    void events_come_out_of_order_in_pairs() throws Exception {
        simulator.order("disorder");
        try (Listening nodes = Listening.to(simulator.url() + "/v1/events/nodes")) {
            cluster.call("PUT", "/v1/nodes/node-1", "{\"override_props\": {\"Aux/x\": \"1\"}}");
            cluster.call("PUT", "/v1/nodes/node-1/evacuate", "");

            assertThat(nodes.next()).isEqualTo("event: node-evacuate");
            nodes.next();
            assertThat(nodes.next()).isEqualTo("event: node-modified");
        }
    }
}
