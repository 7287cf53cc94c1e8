package dev.fairlead.bootstrap.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HttpLimitsTest {
    private static final String HALF = "GET /livez HTTP/1.1\r\nHost: x\r\nX-A: aaaa";
    private static final String WHOLE = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String KUBELET = "127.0.0.1";
    private static final String STRANGER = "127.0.0.9";
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final Health health = new Health(Map.of(), List::of, Duration.ofSeconds(1));
    private final List<Socket> sockets = new ArrayList<>();
    private final List<HttpEndpoint> endpoints = new ArrayList<>();
    private final CountDownLatch scrapeMayEnd = new CountDownLatch(1);
    private final AtomicInteger scrapes = new AtomicInteger();

    @AfterEach
    void close() throws IOException {
        scrapeMayEnd.countDown();
        endpoints.forEach(HttpEndpoint::close);
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private HttpEndpoint open(HttpLimits limits, String metrics) {
        HttpEndpoint endpoint = HttpEndpoint.open(
                "127.0.0.1",
                0,
                limits,
                health,
                () -> scrape(metrics),
                task -> Thread.ofVirtual().start(task));
        endpoints.add(endpoint);
        return endpoint;
    }

    private String scrape(String metrics) {
        scrapes.incrementAndGet();
        try {
            scrapeMayEnd.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return metrics;
    }

    private Socket send(HttpEndpoint endpoint, String from, String text) throws IOException {
        return send(endpoint, from, text, new Socket());
    }

    private Socket send(HttpEndpoint endpoint, String from, String text, Socket socket) throws IOException {
        sockets.add(socket);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.port()));
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** All that comes until the end; what was closed without an answer answered nothing. */
    private static String read(Socket socket) throws IOException {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException _) {
            return "";
        }
    }

    @Test
    void half_a_request_is_closed_when_its_time_is_over() throws IOException {
        HttpEndpoint endpoint = open(new HttpLimits(4, 8192, SHORT, LONG), "");

        assertThat(read(send(endpoint, STRANGER, HALF))).isEmpty();
    }

    @Test
    void a_request_that_trickles_is_closed_when_its_time_is_over() throws Exception {
        HttpEndpoint endpoint = open(new HttpLimits(4, 8192, SHORT, LONG), "");
        Socket slow = send(endpoint, STRANGER, HALF);
        Thread trickle = Thread.ofVirtual().start(() -> {
            try {
                while (slow.getInputStream().available() == 0) {
                    slow.getOutputStream().write('a');
                    Thread.sleep(20);
                }
            } catch (IOException | InterruptedException _) {
                // it was closed
            }
        });

        trickle.join();
        assertThat(read(slow)).isEmpty();
    }

    @Test
    void a_long_head_is_refused() throws IOException {
        HttpEndpoint endpoint = open(new HttpLimits(4, 1024, LONG, LONG), "");

        assertThat(read(send(endpoint, STRANGER, HALF + "a".repeat(2000)))).startsWith("HTTP/1.1 431 ");
    }

    /** The kernel's buffers of both ends together hold less than this answer, else it would be taken whole. */
    @Test
    void a_caller_who_does_not_take_its_answer_is_closed() throws Exception {
        int length = 48_000_000;
        HttpEndpoint endpoint = open(new HttpLimits(4, 8192, LONG, SHORT), "m".repeat(length));
        scrapeMayEnd.countDown();
        var smallReceiver = new Socket();
        smallReceiver.setReceiveBufferSize(4096);
        Socket idle = send(endpoint, STRANGER, "GET /metrics HTTP/1.1\r\n\r\n", smallReceiver);

        // In this order: before the caller is taken in, there is no connection either.
        while (scrapes.get() == 0 || endpoint.connections() != 0) {
            Thread.onSpinWait();
        }

        assertThat(read(idle).length()).isLessThan(length);
    }

    @Test
    void a_request_is_answered_though_others_hold_every_connection() throws IOException {
        HttpEndpoint endpoint = open(new HttpLimits(4, 8192, LONG, LONG), "");
        for (int i = 0; i < 100; i++) {
            send(endpoint, KUBELET, HALF);
        }

        assertThat(read(send(endpoint, KUBELET, WHOLE))).startsWith("HTTP/1.1 200 ");
        assertThat(endpoint.connections()).isLessThanOrEqualTo(4);
    }

    @Test
    void a_flood_closes_its_own_connections() throws IOException {
        HttpEndpoint endpoint = open(new HttpLimits(4, 8192, LONG, LONG), "");
        Socket slow = send(endpoint, KUBELET, HALF);

        for (int i = 0; i < 100; i++) {
            send(endpoint, STRANGER, HALF);
        }
        slow.getOutputStream().write("\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

        assertThat(read(slow)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void who_has_asked_is_answered_however_many_come() throws Exception {
        HttpEndpoint endpoint = open(new HttpLimits(4, 8192, LONG, LONG), "fairlead_up 1.0\n");
        Socket asked = send(endpoint, STRANGER, "GET /metrics HTTP/1.1\r\n\r\n");
        while (scrapes.get() == 0) {
            Thread.onSpinWait();
        }

        for (int i = 0; i < 100; i++) {
            send(endpoint, STRANGER, HALF);
        }
        // Callers are taken in by their order: when this one is answered, the flood is over, which could otherwise
        // close
        // the connection while its answer is on the way.
        assertThat(read(send(endpoint, KUBELET, WHOLE))).startsWith("HTTP/1.1 200 ");
        scrapeMayEnd.countDown();

        assertThat(read(asked)).endsWith("fairlead_up 1.0\n");
    }

    @Test
    void callers_at_one_moment_share_an_answer() throws Exception {
        HttpEndpoint endpoint = open(new HttpLimits(64, 8192, LONG, LONG), "fairlead_up 1.0\n");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                Socket socket = send(endpoint, STRANGER, "GET /metrics HTTP/1.1\r\n\r\n");
                answers.add(threads.submit(() -> read(socket)));
            }
            while (endpoint.answering() < 40) {
                Thread.onSpinWait();
            }

            scrapeMayEnd.countDown();

            for (Future<String> answer : answers) {
                assertThat(answer.get()).endsWith("fairlead_up 1.0\n");
            }
            assertThat(scrapes).hasValueLessThanOrEqualTo(2);
        }
    }
}
