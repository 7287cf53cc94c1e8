package dev.fairlead.adapter.linstor;

import static dev.fairlead.adapter.linstor.LinstorCluster.read;
import static dev.fairlead.adapter.linstor.LinstorCluster.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.Until;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What LINSTOR, or something before it, says wrongly changes nothing. */
class WrongAnswersTest {
    private static final String VIEW = "GET /v1/view/resources";

    @TempDir
    private Path folder;

    private LinstorCluster cluster;
    private PlacementSource source;

    @BeforeEach
    void up() throws Exception {
        cluster = new LinstorCluster(folder, 0);
        cluster.resource("drbd", "vol-1", "node-2", "node-3");
        source = cluster.source();
    }

    @AfterEach
    void down() {
        source.close();
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"html", "nothing", "half-text", "missing"})
    void what_is_no_list_of_linstor_s_is_a_failure_and_no_reading(String kind) {
        cluster.simulator().fault("{\"kind\": \"%s\", \"on\": \"%s\"}".formatted(kind, VIEW));

        assertThatThrownBy(() -> read(source, volume("vol-1"))).isInstanceOf(StorageException.class);
        cluster.simulator().mend();
        assertThat(read(source, volume("vol-1"))).isEqualTo("[node-2, node-3]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /v1/view/resources", "GET /v1/nodes", "GET /v1/resource-definitions"})
    void half_a_list_is_unknown_the_first_time_and_later(String call) {
        String fault = "{\"kind\": \"half-list\", \"on\": \"%s\", \"times\": 1}".formatted(call);
        cluster.simulator().fault(fault);
        assertThat(read(source, volume("vol-1"))).startsWith("unknown: ");
        assertThat(read(source, volume("vol-1"))).isEqualTo("[node-2, node-3]");

        cluster.simulator().fault(fault);
        assertThat(read(source, volume("vol-1"))).startsWith("unknown: ");
        assertThat(read(source, volume("vol-1"))).isEqualTo("[node-2, node-3]");
    }

    @Test
    void where_no_replica_was_shown_those_that_there_are_are_not_asked_for_one_by_one() throws Exception {
        cluster.resource("plain", "vol-2", "node-2");
        assertThat(read(source, volume("vol-2"))).isEqualTo("[node-2]");
        cluster.simulator().fault("{\"kind\": \"half-list\", \"on\": \"%s\", \"times\": 1}".formatted(VIEW));
        cluster.simulator().clearCalls();

        assertThat(read(source, volume("vol-2"))).contains("two answers of LINSTOR name different replicas");

        assertThat(cluster.simulator().calls()).hasSize(4);
    }

    @Test
    void an_error_without_a_message_is_asked_again() {
        cluster.simulator().fault("{\"kind\": \"wordless\", \"on\": \"%s\", \"times\": 2}".formatted(VIEW));

        assertThat(read(source, volume("vol-1"))).isEqualTo("[node-2, node-3]");
    }

    @Test
    void the_other_controller_takes_over_in_the_middle_of_a_call() {
        cluster.simulator().fault("{\"kind\": \"switch\", \"on\": \"%s\", \"times\": 1}".formatted(VIEW));
        long start = System.nanoTime();

        assertThat(read(source, volume("vol-1"))).isEqualTo("[node-2, node-3]");
        assertThat(System.nanoTime() - start).isLessThan(8_000_000_000L); // one that is silent is waited for so long
        assertThat(read(source, volume("vol-1"))).isEqualTo("[node-2, node-3]");
    }

    @Test
    void events_hint_at_a_resource_or_at_all_and_are_followed_to_the_next_controller() throws Exception {
        Queue<String> hints = new ConcurrentLinkedQueue<>();
        read(source, volume("vol-1"));
        source.listen(new PlacementHints() {
            @Override
            public void moved(String handle) {
                hints.add(handle);
            }

            @Override
            public void anyMoved() {
                hints.add("any");
            }
        });
        Until.holds(() -> cluster.simulator().listening() == 2);

        cluster.call("DELETE", "/v1/resource-definitions/vol-1/resources/node-1", "");
        assertThat(eventually(hints, "vol-1")).isTrue();
        assertThat(eventually(hints, "vol-1/0")).isTrue();
        cluster.call("PUT", "/v1/nodes/node-1", "{\"override_props\": {\"Aux/x\": \"1\"}}");
        assertThat(eventually(hints, "any")).isTrue();

        cluster.simulator().order("failover");
        Until.holds(() -> cluster.simulator().listening() == 2);
        hints.clear();
        cluster.call("DELETE", "/v1/resource-definitions/vol-1/resources/node-3", "");
        assertThat(eventually(hints, "vol-1")).isTrue();
    }

    private static boolean eventually(Queue<String> hints, String wanted) throws InterruptedException {
        long end = System.nanoTime() + 30_000_000_000L;
        while (System.nanoTime() < end) {
            if (hints.contains(wanted)) return true;
            Thread.sleep(20);
        }
        return false;
    }
}
