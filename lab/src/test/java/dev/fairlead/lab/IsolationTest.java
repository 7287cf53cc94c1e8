package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fairlead.testkit.hung.HungFilesystem;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One connection's storage never answers; nobody else may notice, and its own calls end. */
class IsolationTest {
    private static final int CALLS = 400;

    @TempDir
    Path folder;

    @Test
    void a_hung_folder_slows_nobody_else() throws Exception {
        Needs.root();
        Needs.nothingAgainst(HungFilesystem.obstacle());
        Path mountPoint = Files.createDirectories(folder.resolve("hung"));
        try (HungFilesystem hung = HungFilesystem.mountAt(mountPoint)) {
            slowsNobody("a hung folder", """
                    driver: local-hostpath
                    local-hostpath:
                      shareBasePath: %s
                      controllerBasePath: %s
                    fairlead:
                      patience: 3s
                    """.formatted(mountPoint.resolve("base"), mountPoint.resolve("base")), () -> {
                assertThat(hung.swallowed()).isPositive();
                hung.release();
            });
        }
    }

    /** The kernel takes what is sent to it, as long as there is room, and nobody ever answers. */
    @Test
    void a_storage_host_that_swallows_packets_slows_nobody_else() throws Exception {
        Needs.root();
        try (ServerSocket hole = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            slowsNobody("a storage host that never answers", """
                    driver: zfs-generic-nfs
                    sshConnection:
                      host: 127.0.0.1
                      port: %d
                      username: root
                      password: swallowed
                    zfs:
                      datasetParentName: tank/v
                    nfs:
                      shareHost: nas
                      shareStrategy: setDatasetProperties
                      shareStrategySetDatasetProperties:
                        properties:
                          sharenfs: "on"
                    fairlead:
                      patience: 3s
                    """.formatted(hole.getLocalPort()), () -> {});
        }
    }

    /** Ends what hangs. */
    private interface Release {
        void end() throws Exception;
    }

    /** @param letGo before the driver is ended, which cannot be while it hangs in the kernel */
    private void slowsNobody(String what, String connection, Release letGo) throws Exception {
        DriverFixture fixture = DriverFixture.proxy(folder);
        fixture.connect("good", Files.createDirectories(folder.resolve("good")));
        fixture.connect("fine", Files.createDirectories(folder.resolve("fine")));
        try (DriverProcess driver = fixture.start();
                CsiClient client = new CsiClient(fixture.socket());
                CsiClient hasty = new CsiClient(fixture.socket(), Duration.ofSeconds(5))) {
            calls(client, "warm");
            double alone = p99(client, "alone");
            fixture.write("hung", connection);
            Thread.sleep(6000);

            AtomicBoolean stop = new AtomicBoolean();
            List<StatusRuntimeException> ends = java.util.Collections.synchronizedList(new ArrayList<>());
            List<Thread> stuck = stuck(hasty, stop, ends);
            Thread.sleep(3000);
            double beside = p99(client, "beside");
            long probe = System.nanoTime();
            boolean ready = client.probe();
            double probeMillis = (System.nanoTime() - probe) / 1e6;
            StatusRuntimeException list = catchThrowableOfType(StatusRuntimeException.class, () -> client.list(0, ""));
            long room = client.capacity(Map.of("connection", "good")).getAvailableCapacity();
            long sum = client.capacity(Map.of()).getAvailableCapacity();
            stop.set(true);
            for (Thread thread : stuck) {
                thread.join(Duration.ofSeconds(20));
            }

            System.out.printf(
                    "isolation: p99 of CreateVolume %.2f ms alone, %.2f ms beside %s; Probe %.2f ms%n",
                    alone, beside, what, probeMillis);
            assertThat(ready).isTrue();
            assertThat(probeMillis).isLessThan(200);
            assertThat(beside).isLessThan(Math.max(3 * alone, alone + 10));
            assertThat(list.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(list.getMessage()).contains("hung");
            assertThat(room).isPositive();
            assertThat(sum).isPositive();
            assertThat(ends)
                    .isNotEmpty()
                    .allSatisfy(end -> assertThat(end.getStatus().getCode())
                            .isIn(Status.Code.DEADLINE_EXCEEDED, Status.Code.UNAVAILABLE, Status.Code.ABORTED));
            assertThat(driver.isAlive()).isTrue();
            letGo.end();
        }
    }

    private static List<Thread> stuck(CsiClient client, AtomicBoolean stop, List<StatusRuntimeException> ends) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            int caller = i;
            threads.add(Thread.ofVirtual().start(() -> {
                for (int n = 0; !stop.get(); n++) {
                    String name = "stuck-" + caller + "-" + n;
                    ends.add(catchThrowableOfType(
                            StatusRuntimeException.class, () -> client.create(name, Map.of("connection", "hung"))));
                    // A sidecar backs off; without that, refusals at once would load the machine by themselves.
                    pause();
                }
            }));
        }
        return threads;
    }

    private static void pause() {
        try {
            Thread.sleep(250);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static double p99(CsiClient client, String prefix) {
        double[] millis = calls(client, prefix);
        Arrays.sort(millis);
        return millis[millis.length * 99 / 100];
    }

    private static double[] calls(CsiClient client, String prefix) {
        double[] millis = new double[CALLS];
        for (int i = 0; i < CALLS; i++) {
            long begin = System.nanoTime();
            String id = client.create(prefix + "-" + i, Map.of("connection", i % 2 == 0 ? "good" : "fine"))
                    .getVolumeId();
            millis[i] = (System.nanoTime() - begin) / 1e6;
            client.delete(id);
        }
        return millis;
    }
}
