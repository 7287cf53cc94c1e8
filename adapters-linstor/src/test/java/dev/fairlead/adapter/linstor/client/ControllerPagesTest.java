package dev.fairlead.adapter.linstor.client;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.StorageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long lists are read page by page, and what is made of those that break off or are too long. */
class ControllerPagesTest extends ControllersFixture {
    @Test
    void a_list_that_breaks_off_is_read_from_its_beginning_and_pages_follow_until_one_is_short() throws IOException {
        try (MockWebServer server = started();
                Controllers controllers = new Controllers(List.of(address(server)), plain(Optional.empty()), SHORT)) {
            String two = "[{\"name\": \"a\", \"x\": {\"name\": [1]}}, {\"name\": \"b\"}]";
            server.enqueue(new MockResponse.Builder()
                    .code(200)
                    .chunkedBody(two, 20)
                    .onResponseBody(new SocketEffect.CloseSocket())
                    .build());
            server.enqueue(json(200, two));
            server.enqueue(json(200, "[{\"name\": \"c\"}]"));
            List<String> read = new ArrayList<>();

            controllers.pages(names(), Map.of(), 2, read::add);

            assertThat(read).containsExactly("a", "b", "c");
            assertThat(server.getRequestCount()).isEqualTo(3);
        }
    }

    @Test
    @Timeout(60)
    void a_list_that_breaks_off_between_two_chunks_is_read_again() throws Exception {
        try (ServerSocket server = new ServerSocket(0);
                Controllers controllers = new Controllers(
                        List.of(URI.create("http://127.0.0.1:" + server.getLocalPort())),
                        plain(Optional.empty()),
                        SHORT)) {
            Thread answers = Thread.ofVirtual().start(() -> {
                answer(server, "Transfer-Encoding: chunked\r\n\r\n3\r\n[{}\r\n");
                answer(server, "Content-Length: 2\r\nConnection: close\r\n\r\n[]");
            });

            assertThat(nodes(controllers)).isEmpty();
            answers.join();
        }
    }

    /** Answers one request, and closes its connection. */
    private static void answer(ServerSocket server, String rest) {
        try (Socket socket = server.accept();
                BufferedReader request =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
            request.lines().takeWhile(line -> !line.isEmpty()).forEach(_ -> {});
            socket.getOutputStream().write(("HTTP/1.1 200 OK\r\n" + rest).getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_list_longer_than_what_is_read_is_not_half_believed() throws IOException {
        try (MockWebServer server = started();
                Controllers controllers = new Controllers(List.of(address(server)), plain(Optional.empty()), SHORT)) {
            server.enqueue(json(200, "[" + "{\"name\": \"abcdefgh\"},".repeat(60_000) + "{\"name\": \"z\"}]"));

            assertThatThrownBy(() -> controllers.list(names(), Map.of()))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("longer than what is read");
        }
    }

    @Test
    void a_page_that_is_too_long_is_asked_for_in_shorter_ones_from_where_it_began() throws IOException {
        List<String> asked = new ArrayList<>();
        try (MockWebServer server = started();
                Controllers controllers = new Controllers(List.of(address(server)), plain(Optional.empty()), SHORT)) {
            server.setDispatcher(entriesOf(2_000, asked));
            List<String> read = new ArrayList<>();

            controllers.pages(names(), Map.of(), Controllers.PAGE, read::add);
            assertThat(read).hasSize(2_000).doesNotHaveDuplicates();
            assertThat(asked).startsWith("5000@0", "1250@0", "312@0", "312@312").hasSize(9);

            asked.clear();
            read.clear();
            controllers.pages(names(), Map.of(), Controllers.PAGE - 1, read::add);
            assertThat(read).hasSize(2_000).doesNotHaveDuplicates();
            assertThat(asked)
                    .as("of another length")
                    .startsWith("311@0", "311@311")
                    .hasSize(7);
        }
    }

    @Test
    void entries_that_are_too_long_in_the_shortest_page_are_a_failure() throws IOException {
        List<String> asked = new ArrayList<>();
        try (MockWebServer server = started();
                Controllers controllers = new Controllers(List.of(address(server)), plain(Optional.empty()), SHORT)) {
            String all = "[" + "{\"name\": \"abcdefgh\"},".repeat(60_000) + "{\"name\": \"z\"}]";
            server.setDispatcher(new Dispatcher() {
                @Override
                public MockResponse dispatch(RecordedRequest request) {
                    asked.add(limit(request));
                    return json(200, all);
                }
            });

            assertThatThrownBy(() -> controllers.pages(names(), Map.of(), Controllers.PAGE, _ -> {}))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("longer than what is read");
            assertThat(asked).containsExactly("5000", "1250", "312", "78", "50");
        }
    }

    /** Answers with entries of 2 kB each, of which so many are there. */
    private static Dispatcher entriesOf(int count, List<String> asked) {
        String filling = "x".repeat(2_000);
        return new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                int offset =
                        Integer.parseInt(Objects.requireNonNull(request.getUrl().queryParameter("offset")));
                asked.add(limit(request) + "@" + offset);
                String page = IntStream.range(offset, Math.min(count, offset + Integer.parseInt(limit(request))))
                        .mapToObj(at -> "{\"name\": \"%d\", \"x\": \"%s\"}".formatted(at, filling))
                        .collect(joining(","));
                return json(200, "[" + page + "]");
            }
        };
    }

    private static String limit(RecordedRequest request) {
        return Objects.requireNonNull(request.getUrl().queryParameter("limit"));
    }
}
