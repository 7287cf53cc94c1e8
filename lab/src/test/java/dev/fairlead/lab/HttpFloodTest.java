package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Strangers hold the HTTP port with half requests, by the thousand; storage and probes do not notice. */
@Timeout(120)
class HttpFloodTest {
    private static final Pattern ENDPOINT = Pattern.compile("health and metrics by HTTP.*127\\.0\\.0\\.1:([0-9]+)");
    private static final Pattern HEAP =
            Pattern.compile("^jvm_memory_used_bytes\\{area=\"heap\"} ([0-9.E]+)$", Pattern.MULTILINE);
    private static final Duration FLOOD = Duration.ofSeconds(10);

    /** A call that is held up waits for seconds; two busy processors delay one by a fraction of one. */
    private static final long HELD_UP_MILLIS = 1000;

    /** That of the chart's readiness probe. */
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(5);

    @TempDir
    Path folder;

    @Test
    void half_requests_by_the_thousand_leave_csi_and_probes_unharmed() throws Exception {
        DriverFixture fixture = DriverFixture.proxy(folder);
        QuietConnection.addTo(fixture);
        List<Long> csi = new ArrayList<>();
        List<Long> probes = new ArrayList<>();
        try (DriverProcess driver = fixture.start("--http-endpoint=127.0.0.1:0");
                CsiClient client = new CsiClient(fixture.socket())) {
            int port = port(driver);
            warmUp(client, port);
            QuietConnection quiet = new QuietConnection(client);

            try (HttpFlood flood = new HttpFlood(port)
                    .from("127.0.0.2", 400, 350_000, 350_000)
                    .from("127.0.0.3", 400, 2_000, 1)
                    .from("127.0.0.4", 400, 350_000, 1_000)) {
                long end = System.nanoTime() + FLOOD.toNanos();
                while (System.nanoTime() < end || flood.opened() < 1000) {
                    csi.add(millis(() -> assertThat(client.probe()).isTrue()));
                    probes.add(millis(() -> assertThat(get(port, "/livez")).startsWith("HTTP/1.1 200 ")));
                }
                assertThat(heap(get(port, "/metrics"))).isLessThan(96 << 20);
                int opened = flood.opened();
                quiet.assertUnharmedBeside("half requests");
                assertThat(flood.opened()).as("the flood goes on").isGreaterThan(opened);
                System.out.println(flood.opened() + " half requests; CSI Probe, /livez ms: " + told(csi) + "; "
                        + told(probes) + "; heap MiB " + heap(get(port, "/metrics")) / (1 << 20));
            }

            assertThat(driver.isAlive()).isTrue();
            assertThat(client.probe()).isTrue();
        }
        // A machine that has other work to do delays a call now and then.
        assertThat(percentile(csi, 95)).as("CSI's Probe, p95 in ms").isLessThan(100);
        assertThat(percentile(csi, 99)).as("CSI's Probe, p99 in ms").isLessThan(HELD_UP_MILLIS);
        assertThat(percentile(probes, 100)).as("/livez, longest in ms").isLessThan(PROBE_TIMEOUT.toMillis());
    }

    private static void warmUp(CsiClient client, int port) throws IOException {
        for (int i = 0; i < 50; i++) {
            assertThat(client.probe()).isTrue();
            assertThat(get(port, "/livez")).startsWith("HTTP/1.1 200 ");
        }
    }

    private interface Action {
        void run() throws IOException;
    }

    private static long millis(Action action) throws IOException {
        long begin = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - begin).toMillis();
    }

    private static long percentile(List<Long> all, int percent) {
        return all.stream().sorted().toList().get((all.size() - 1) * percent / 100);
    }

    private static String told(List<Long> all) {
        return all.size() + " calls, p50 " + percentile(all, 50) + ", p99 " + percentile(all, 99) + ", longest "
                + percentile(all, 100);
    }

    private static String get(int port, String path) throws IOException {
        try (Socket socket = new Socket()) {
            int patience = Math.toIntExact(PROBE_TIMEOUT.toMillis());
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), patience);
            socket.setSoTimeout(patience);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static long heap(String metrics) {
        Matcher line = HEAP.matcher(metrics);
        assertThat(line.find()).as(metrics).isTrue();
        return (long) Double.parseDouble(line.group(1));
    }

    private static int port(DriverProcess driver) throws IOException {
        Matcher line = ENDPOINT.matcher(driver.output());
        assertThat(line.find()).as(driver.output()).isTrue();
        return Integer.parseInt(line.group(1));
    }
}
