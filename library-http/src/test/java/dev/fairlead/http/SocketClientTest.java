package dev.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.http.trust.Trust;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.SocketEffect;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import okio.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SocketClientTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration PING = Duration.ofMillis(200);
    private static final int MOST = 10_000;
    private static final List<String> PATH = List.of("api", "current");

    private final MockWebServer server = new MockWebServer();
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
    private final AtomicInteger threads = new AtomicInteger();

    private final TextSocket.Listener listener = new TextSocket.Listener() {
        @Override
        public void received(String text) {
            received.add(text);
        }

        @Override
        public void ended(String why) {
            ended.add(why);
        }
    };

    @BeforeEach
    void start() throws IOException {
        server.useHttps(new HandshakeCertificates.Builder()
                .heldCertificate(new HeldCertificate.Builder().build())
                .build()
                .sslSocketFactory());
        server.start();
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void texts_go_both_ways() throws Exception {
        serve(new Echo());

        try (var client = client(new Trust.Anything());
                var socket = client.connect(PATH, PATIENCE, listener)) {
            assertThat(socket.send("hello")).isTrue();
            assertThat(received.poll(20, TimeUnit.SECONDS)).isEqualTo("hello");
        }
        assertThat(server.takeRequest().getTarget()).isEqualTo("/api/current");
    }

    @Test
    void the_thread_that_reads_is_handed_in() throws Exception {
        serve(new Echo());

        try (var client = client(new Trust.Anything());
                var socket = client.connect(PATH, PATIENCE, listener)) {
            socket.send("hello");
            received.poll(20, TimeUnit.SECONDS);
        }

        assertThat(threads).hasValue(1);
    }

    @Test
    void no_other_server_is_believed() {
        serve(new Echo());

        try (var client = client(new Trust.SystemRoots())) {
            assertThatThrownBy(() -> client.connect(PATH, PATIENCE, listener))
                    .hasMessageContaining("no trusted connection");
        }
        assertThat(server.getRequestCount()).isZero();
    }

    @Test
    void a_redirect_is_not_followed() {
        server.enqueue(new MockResponse.Builder()
                .code(302)
                .setHeader("Location", server.url("/elsewhere"))
                .build());

        try (var client = client(new Trust.Anything())) {
            assertThatThrownBy(() -> client.connect(PATH, PATIENCE, listener)).hasMessage("status 302");
        }
        assertThat(server.getRequestCount()).isOne();
    }

    @Test
    void a_server_that_says_nothing_costs_the_patience_alone() {
        server.enqueue(new MockResponse.Builder()
                .onResponseStart(SocketEffect.Stall.INSTANCE)
                .build());

        try (var client = client(new Trust.Anything())) {
            assertThatThrownBy(() -> client.connect(PATH, Duration.ofMillis(300), listener))
                    .hasMessage("no answer within 300 ms");
        }
    }

    @Test
    void a_message_that_is_too_long_ends_the_socket() throws Exception {
        serve(new Echo());

        try (var client = client(new Trust.Anything());
                var socket = client.connect(PATH, PATIENCE, listener)) {
            for (int i = 0; i < 5; i++) {
                socket.send("x".repeat(MOST / 2)); // many of them are fine
                assertThat(received.poll(20, TimeUnit.SECONDS)).hasSize(MOST / 2);
            }
            socket.send("x".repeat(MOST * 3));

            assertThat(ended.poll(20, TimeUnit.SECONDS)).contains("a message of more than 10000 bytes");
            assertThat(received).isEmpty();
        }
    }

    @Test
    void nothing_is_inflated_since_that_has_no_bound() throws Exception {
        serve(new Echo());
        server.enqueue(new MockResponse.Builder()
                .webSocketUpgrade(new Echo())
                .addHeader("Sec-WebSocket-Extensions", "permessage-deflate")
                .build());

        try (var client = client(new Trust.Anything())) {
            client.connect(PATH, PATIENCE, listener).close();

            assertThat(server.takeRequest().getHeaders().get("Sec-WebSocket-Extensions"))
                    .isNull();
            assertThatThrownBy(() -> client.connect(PATH, PATIENCE, listener))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the server compresses unasked");
        }
    }

    @Test
    void the_end_is_told_once_with_the_server_s_words() throws Exception {
        serve(new Echo() {
            @Override
            public void onMessage(WebSocket webSocket, String text) {
                webSocket.close(1009, "Max message length is 64 kB");
            }
        });

        try (var client = client(new Trust.Anything());
                var socket = client.connect(PATH, PATIENCE, listener)) {
            socket.send("hello");

            assertThat(ended.poll(20, TimeUnit.SECONDS))
                    .isEqualTo("the server closed it with 1009, 'Max message length is 64 kB'");
            assertThat(socket.send("more")).isFalse();
        }
        assertThat(ended).isEmpty();
    }

    @Test
    void bytes_are_no_message() throws Exception {
        serve(new Echo() {
            @Override
            public void onMessage(WebSocket webSocket, String text) {
                webSocket.send(ByteString.encodeUtf8(text));
            }
        });

        try (var client = client(new Trust.Anything());
                var socket = client.connect(PATH, PATIENCE, listener)) {
            socket.send("hello");

            assertThat(ended.poll(20, TimeUnit.SECONDS)).isEqualTo("the server sent bytes and no text");
        }
    }

    @Test
    void closing_it_here_is_told_too() throws Exception {
        serve(new Echo());

        try (var client = client(new Trust.Anything())) {
            client.connect(PATH, PATIENCE, listener).close();

            assertThat(ended.poll(20, TimeUnit.SECONDS)).isEqualTo("it was closed here");
        }
    }

    private void serve(WebSocketListener behaviour) {
        server.enqueue(new MockResponse.Builder().webSocketUpgrade(behaviour).build());
    }

    private SocketClient client(Trust trust) {
        var settings = new HttpSettings(
                URI.create(server.url("/").toString()), trust, Optional.empty(), Optional.empty(), "test", MOST);
        return new SocketClient(
                settings,
                new Plain(),
                task -> {
                    threads.incrementAndGet();
                    return Thread.ofPlatform().daemon().unstarted(task);
                },
                PING);
    }

    private static class Echo extends WebSocketListener {
        @Override
        public void onMessage(WebSocket webSocket, String text) {
            webSocket.send(text);
        }
    }

    private record Plain() implements HttpFailures {
        @Override
        public Failure unavailable(String what, String detail) {
            return new Failure.BackendUnavailable(what, detail);
        }

        @Override
        public Failure unintelligible(String what, String detail) {
            return new Failure.Unintelligible(what, detail);
        }

        @Override
        public Failure unusable(Part part, String detail) {
            return new Failure.BackendRejected(part.name(), detail);
        }
    }
}
