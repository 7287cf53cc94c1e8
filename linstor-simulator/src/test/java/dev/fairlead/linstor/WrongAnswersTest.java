package dev.fairlead.linstor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonParser;
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

    @Test
    void what_is_there_is_not_found_once() throws Exception {
        simulator.fault("{\"kind\": \"missing\", \"on\": \"GET /v1/resource-definitions/vol-1\", \"times\": 1}");

        assertThat(cluster.call("GET", "/v1/resource-definitions/vol-1", "")).startsWith("404 ");
        assertThat(cluster.call("GET", "/v1/resource-definitions/vol-1", "")).startsWith("200 ");
    }

    @Test
    void a_connection_that_is_cut_hides_that_the_call_was_carried_out() throws Exception {
        simulator.fault("{\"kind\": \"cut\", \"on\": \"PUT\", \"times\": 1}");

        assertThatThrownBy(() -> cluster.call("PUT", "/v1/nodes/node-1", "{\"override_props\": {\"Aux/x\": \"1\"}}"))
                .isInstanceOf(IOException.class);
        assertThat(cluster.call("GET", "/v1/nodes/node-1", "")).contains("Aux/x");
    }

    @Test
    void a_value_longer_than_the_database_takes_leaves_the_old_one() throws Exception {
        String change = "{\"override_props\": {\"Aux/x\": \"%s\"}}";
        for (String at : new String[] {"/v1/nodes/node-1", "/v1/resource-definitions/vol-1"}) {
            assertThat(cluster.call("PUT", at, change.formatted("y".repeat(4096))))
                    .startsWith("200 ");
            assertThat(cluster.call("PUT", at, change.formatted("z".repeat(4097))))
                    .startsWith("500 ")
                    .contains("ApiDatabaseException", "error_report_ids");
            assertThat(cluster.call("GET", at, "")).contains("yyyy").doesNotContain("zzzz");
        }
        assertThat(cluster.call("GET", "/v1/error-reports?limit=1", "")).contains("\"CONTROLLER\"");
    }

    @Test
    void errors_have_three_shapes() throws Exception {
        String list = cluster.call("GET", "/v1/nodes/none", "");
        String object = cluster.call("POST", "/v1/resource-definitions/vol-1/clone", "{\"name\": \"copy\"}");
        simulator.fault("{\"kind\": \"wordless\", \"on\": \"GET\", \"times\": 1}");
        String wordless = cluster.call("GET", "/v1/nodes", "");

        assertThat(list).startsWith("404 [{").contains("\"message\"");
        assertThat(object).startsWith("500 {").contains("\"messages\":[{");
        assertThat(wordless).startsWith("500 [{\"ret_code\"").doesNotContain("message");
    }

    @Test
    void a_definition_with_snapshots_stays_and_a_snapshot_becomes_a_resource() throws Exception {
        cluster.call(
                "POST",
                "/v1/actions/snapshot/multi",
                "{\"snapshots\": [{\"name\": \"s1\", \"resource_name\": \"vol-1\"}]}");

        assertThat(cluster.call("DELETE", "/v1/resource-definitions/vol-1", "")).startsWith("500 ");
        assertThat(cluster.call("GET", "/v1/view/snapshots?resources=vol-1", ""))
                .contains("\"nodes\":[\"node-2\",\"node-3\"]");
        cluster.call("POST", "/v1/resource-definitions", "{\"resource_definition\": {\"name\": \"vol-2\"}}");
        String restore = "/v1/resource-definitions/vol-1/snapshot-restore-";
        cluster.call("POST", restore + "volume-definition/s1", "{\"to_resource\": \"vol-2\"}");
        cluster.call("POST", restore + "resource/s1", "{\"to_resource\": \"vol-2\"}");
        assertThat(cluster.call("GET", VIEW + "?resources=vol-2", "")).contains("node-2", "node-3");
        assertThat(cluster.call("DELETE", "/v1/resource-definitions/vol-1/snapshots/s1", ""))
                .startsWith("200 ");
        assertThat(cluster.call("DELETE", "/v1/resource-definitions/vol-1", "")).startsWith("200 ");
    }
}
