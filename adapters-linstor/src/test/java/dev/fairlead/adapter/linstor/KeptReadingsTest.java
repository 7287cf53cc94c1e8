package dev.fairlead.adapter.linstor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.linstor.source.LinstorPlacementSource;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered of volumes that come and go, few at a time. */
class KeptReadingsTest {
    @TempDir
    private Path folder;

    @Test
    void what_is_remembered_is_bounded_by_the_volumes_that_live() throws Exception {
        try (LinstorCluster cluster = new LinstorCluster(folder, 0);
                LinstorPlacementSource source = (LinstorPlacementSource) cluster.source()) {
            int most = 0;
            for (int i = 0; i < 106; i++) {
                PlacedVolume only = LinstorCluster.volume("vol-" + i);
                cluster.resource("drbd", "vol-" + i, "node-1");
                source.living(1, Stream.of(only));
                assertThat(LinstorCluster.read(source, only)).isEqualTo("[node-1]");
                cluster.call("DELETE", "/v1/resource-definitions/vol-" + i, "");
                most = Math.max(most, source.remembered());
            }

            assertThat(most).isEqualTo(102);
            assertThat(source.remembered()).isLessThan(20);
        }
    }
}
