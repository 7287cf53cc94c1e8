package dev.fairlead.adapter.linstor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.PlacementReading;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a node that was emptied explains the changes of volumes. */
class LostNodeTest {
    @TempDir
    private Path folder;

    @Test
    void a_node_that_is_back_explains_nothing_any_more_and_its_labels_are_told_before() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0.05);
                PlacementSource source = cluster.source()) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");
            LinstorCluster.read(source, LinstorCluster.volume("vol-1"));
            cluster.call("PUT", "/v1/nodes/node-3/evacuate", "");
            PlacementReading moved = waitFor(source, "[node-1, node-2]");
            assertThat(moved.lostNode()).contains("node-3");
            assertThat(moved.lostLabels())
                    .containsEntry("linbit.com/hostname", "node-3")
                    .containsEntry("zone", "z1");

            cluster.call("PUT", "/v1/nodes/node-3/restore", "{}");

            PlacementReading later = LinstorCluster.reading(source, LinstorCluster.volume("vol-1"));
            assertThat(later.lostNode()).isEmpty();
        }
    }

    @Test
    void a_replica_that_was_made_anew_on_its_node_has_nothing_of_the_former_one() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                PlacementSource source = cluster.source()) {
            cluster.resource("drbd", "vol-1", "node-2", "node-3");
            assertThat(LinstorCluster.read(source, LinstorCluster.volume("vol-1")))
                    .isEqualTo("[node-2, node-3]");
            var replica = cluster.simulator().order("dump").getAsJsonObject("resource/vol-1/node-2");
            replica.addProperty("uuid", "11111111-2222-3333-4444-555555555555");

            cluster.simulator().order("lose", "node", "node-2");
            cluster.simulator().order("put", "key", "resource/vol-1/node-2", "row", replica);

            assertThat(LinstorCluster.read(source, LinstorCluster.volume("vol-1")))
                    .startsWith("unknown: FL-AFF-001 node node-2 does not say");
        }
    }

    private static PlacementReading waitFor(PlacementSource source, String wanted) throws InterruptedException {
        long end = System.nanoTime() + 30_000_000_000L;
        PlacementReading last = LinstorCluster.reading(source, LinstorCluster.volume("vol-1"));
        while (System.nanoTime() < end && !LinstorCluster.inShort(last).equals(wanted)) {
            Thread.sleep(20);
            last = LinstorCluster.reading(source, LinstorCluster.volume("vol-1"));
        }
        return last;
    }
}
