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

    private static PlacementReading waitFor(PlacementSource source, String wanted) throws InterruptedException {
        long end = System.nanoTime() + 5_000_000_000L;
        PlacementReading last = LinstorCluster.reading(source, LinstorCluster.volume("vol-1"));
        while (System.nanoTime() < end && !LinstorCluster.inShort(last).equals(wanted)) {
            Thread.sleep(20);
            last = LinstorCluster.reading(source, LinstorCluster.volume("vol-1"));
        }
        return last;
    }
}
