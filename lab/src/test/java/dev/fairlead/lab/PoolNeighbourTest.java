package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerServiceCapability.RPC;
import csi.v1.CreateVolumeRequest;
import csi.v1.Volume;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A connection to a pool over SSH beside one to folders of the node's own, in one process. */
@Timeout(300)
class PoolNeighbourTest {
    /** The most copies of one volume at a time, and of a connection. */
    private static final int COPIES = 4;

    private static final Map<String, String> NAS = Map.of("connection", "nas");
    private static final Map<String, String> COPY = Map.of("connection", "nas", "detachedVolumesFromVolumes", "true");

    @TempDir
    Path folder;

    @Test
    void copies_on_the_pool_leave_the_calls_of_the_other_alone() throws Exception {
        DriverFixture fixture = DriverFixture.proxy(folder);
        QuietConnection.addTo(fixture);
        try (PoolOnThisMachine pool = new PoolOnThisMachine(folder)) {
            fixture.write("nas", pool.connection());
            try (DriverProcess driver = fixture.start();
                    CsiClient client = new CsiClient(fixture.socket())) {
                QuietConnection quiet = new QuietConnection(client);
                Volume[] sources = {client.create("source-0", NAS), client.create("source-1", NAS)};
                try (CsiClient patient = new CsiClient(fixture.socket(), Duration.ofMinutes(2));
                        BusyCallers callers = new BusyCallers(34, name -> copy(patient, name, sources))) {
                    awaitCopies(pool);

                    quiet.assertUnharmedBeside("copies on a pool");

                    assertThat(pool.copies())
                            .as("copies that are under way to the end")
                            .isEqualTo(COPIES);
                    callers.assertCalling();
                    pool.endCopies();
                }
                assertThat(driver.isAlive()).isTrue();
            }
        }
    }

    private static void copy(CsiClient client, String name, Volume[] sources) {
        Volume source = sources[Math.floorMod(name.hashCode(), sources.length)];
        CreateVolumeRequest request = CsiClient.request(name, COPY)
                .setVolumeContentSource(CsiClient.fromVolume(source.getVolumeId()))
                .build();
        var _ = client.create(request);
    }

    private static void awaitCopies(PoolOnThisMachine pool) throws Exception {
        long giveUp = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (pool.copies() < COPIES) {
            assertThat(System.nanoTime()).as(pool.commands()).isLessThan(giveUp);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Who grows a claim asks the controller only if it offers that, whatever the nodes are told apart by. */
    @Test
    void a_volume_of_the_pool_is_grown_by_the_controller_of_nodes_that_have_storage_of_their_own() throws Exception {
        DriverFixture fixture = DriverFixture.proxy(folder);
        try (PoolOnThisMachine pool = new PoolOnThisMachine(folder)) {
            fixture.write("nas", pool.connection());
            try (DriverProcess driver = fixture.start();
                    CsiClient client = new CsiClient(fixture.socket())) {
                assertThat(driver.isAlive()).isTrue();
                Volume volume = client.create("pvc-1", NAS);

                assertThat(client.controllerCapabilities()).contains(RPC.Type.EXPAND_VOLUME);
                var grown = client.expand(volume.getVolumeId(), 2L << 30);

                assertThat(grown.getCapacityBytes()).isEqualTo(2L << 30);
                assertThat(grown.getNodeExpansionRequired()).isFalse();
                assertThat(pool.value("tank/v/pvc-1", "refquota")).isEqualTo(Long.toString(2L << 30));
            }
        }
    }
}
