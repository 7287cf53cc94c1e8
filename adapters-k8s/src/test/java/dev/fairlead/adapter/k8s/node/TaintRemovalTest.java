package dev.fairlead.adapter.k8s.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.http.Json;
import dev.fairlead.testkit.Until;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TaintRemovalTest {
    private static final String NODE = "/api/v1/nodes/n1";
    private static final String CSI_NODE = "/apis/storage.k8s.io/v1/csinodes/n1";
    private static final String OTHER = "{\"key\":\"other\",\"effect\":\"NoSchedule\"}";
    private static final String OURS = "{\"key\":\"a/agent-not-ready\",\"effect\":\"NoExecute\"}";
    private static final String OURS_TOO = "{\"key\":\"a/agent-not-ready\",\"effect\":\"NoSchedule\"}";

    private final FakeApiServer server = FakeApiServer.plain();
    private final TaintSettings settings = new TaintSettings("n1", "a/agent-not-ready", Set.of("a", "b"));
    private final ApiClient client = server.client();
    private final Queue<Thread> started = new ConcurrentLinkedQueue<>();
    private final NodeTaint taint = new NodeTaint(client, settings);
    private final Queue<Error> defects = new ConcurrentLinkedQueue<>();
    private final TaintRemoval lifter = new TaintRemoval(
            this::tried, settings, new Backoff(Duration.ofMillis(1), Duration.ofMillis(5)), this::thread, client::idle);

    @BeforeEach
    void registered() {
        server.put(CSI_NODE, object("{\"spec\":{\"drivers\":[{\"name\":\"b\"},{\"name\":\"a\"}]}}"));
    }

    @AfterEach
    void close() {
        lifter.close();
        server.close();
    }

    private NodeTaint.Outcome tried() {
        Optional.ofNullable(defects.poll()).ifPresent(defect -> {
            throw defect;
        });
        return taint.lift();
    }

    private Thread thread(Runnable work) {
        Thread thread = Thread.ofVirtual().unstarted(work);
        started.add(thread);
        return thread;
    }

    private void ended() throws InterruptedException {
        for (Thread thread : started) {
            thread.join();
        }
    }

    @Test
    void the_taint_goes_with_every_effect_that_it_has_and_the_others_stay() throws InterruptedException {
        taints(OURS_TOO + "," + OTHER + "," + OURS);

        lifter.lift();
        ended();

        assertThat(taints()).isEqualTo("[" + OTHER + "]");
    }

    @Test
    void a_node_without_it_is_left_alone() throws InterruptedException {
        taints(OTHER);

        lifter.lift();

        ended();
        assertThat(server.seen()).containsExactly("GET " + NODE);
    }

    @Test
    void it_stays_until_kubelet_has_made_the_node_and_registered_every_driver() throws InterruptedException {
        server.objects().clear();

        lifter.lift();
        Until.holds(() -> server.seen().size() > 2);
        taints(OURS);
        Until.holds(() -> server.seen().contains("GET " + CSI_NODE));
        server.put(CSI_NODE, object("{\"spec\":{\"drivers\":[{\"name\":\"a\"}]}}"));
        int before = server.seen().size();
        Until.holds(() -> server.seen().size() > before + 4);
        assertThat(taints()).isEqualTo("[" + OURS + "]");
        registered();
        ended();

        assertThat(taints()).isEqualTo("[]");
    }

    @Test
    void a_taint_that_came_in_between_is_not_lost() throws InterruptedException {
        taints(OURS);
        server.beforeNextPatch(() -> taints(OTHER + "," + OURS));

        lifter.lift();
        ended();

        assertThat(taints()).isEqualTo("[" + OTHER + "]");
        assertThat(server.seen()).filteredOn(call -> call.startsWith("PATCH")).hasSize(2);
    }

    @Test
    void a_server_that_refuses_or_is_away_is_asked_again() throws InterruptedException {
        taints(OURS);
        server.fault(FakeApiServer.status(403, "Forbidden", "no"));
        server.fault(FakeApiServer.status(401, "Unauthorized", "no"));

        lifter.lift();
        ended();

        assertThat(taints()).isEqualTo("[]");
    }

    @Test
    void errors_of_the_program_do_not_end_the_tries() throws InterruptedException {
        taints(OURS);
        defects.add(new StackOverflowError("played"));
        defects.add(new LinkageError("played"));

        lifter.lift();
        ended();

        assertThat(taints()).isEqualTo("[]");
    }

    @Test
    void closing_ends_it() throws InterruptedException {
        taints(OURS);
        server.put(CSI_NODE, object("{}"));
        lifter.lift();
        Until.holds(() -> server.seen().size() > 2);

        lifter.close();
        ended();

        assertThat(taints()).isEqualTo("[" + OURS + "]");
    }

    private void taints(String list) {
        server.put(NODE, object("{\"spec\":{\"taints\":[" + list + "]}}"));
    }

    private String taints() {
        return Json.child(server.object(NODE), "spec").get("taints").toString();
    }

    private static JsonObject object(String text) {
        return Json.object(text).orElseThrow();
    }
}
