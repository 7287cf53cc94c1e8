package dev.fairlead.adapter.freenas.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.http.trust.Trust;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server is shown, and can do, that is no box or is one no more. */
@Execution(ExecutionMode.CONCURRENT)
class ForeignServerTest {
    private static final String VERSIONS = "/api/versions";

    private final TestWork work = TestWork.patient().left(Duration.ofSeconds(20));
    private final MockWebServer server = new MockWebServer();
    private final TruenasConnections connections =
            new TruenasConnections(task -> Thread.ofPlatform().daemon().unstarted(task));
    private volatile boolean redirects;
    private volatile int status = 404;
    private int taken;
    private volatile String rows = "[]";

    @BeforeEach
    void start() throws IOException {
        server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                String path = request.getUrl().encodedPath();
                if (redirects) {
                    return new MockResponse.Builder()
                            .code(307)
                            .addHeader("Location", "https://box.example" + path)
                            .build();
                }
                return switch (path) {
                    case VERSIONS -> new MockResponse.Builder().code(status).build();
                    case "/api/v2.0/system/version" -> json("\"TrueNAS-SCALE-24.10.2\"");
                    default -> json(rows);
                };
            }
        });
        server.start();
    }

    private static MockResponse json(String body) {
        return new MockResponse.Builder()
                .addHeader("Content-Type", "application/json")
                .body(body)
                .build();
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void a_server_that_sends_elsewhere_is_shown_no_credential() throws Exception {
        redirects = true;
        try (TruenasApi api = open()) {
            assertThatThrownBy(() -> api.release(work))
                    .hasMessageContaining("FL-CON-003")
                    .hasMessageContaining("set httpConnection.protocol to https");
        }

        assertThat(requests()).isNotEmpty().noneMatch(ForeignServerTest::hasCredential);
    }

    @Test
    void a_box_that_begins_to_send_elsewhere_is_shown_no_credential_any_more() throws Exception {
        try (TruenasApi api = open()) {
            assertThat(api.list(ApiCollection.DATASET, ApiQuery.all(), work)).isEmpty();
            redirects = true;
            assertThat(requests()).anyMatch(ForeignServerTest::hasCredential);

            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> api.list(ApiCollection.DATASET, ApiQuery.all(), work))
                        .hasMessageContaining("FL-CON-003")
                        .hasMessageContaining("set httpConnection.protocol to https");
            }
        }

        assertThat(requests()).filteredOn(ForeignServerTest::hasCredential).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 403, 502})
    void a_server_of_which_nobody_knows_what_it_is_is_shown_no_credential(int code) throws Exception {
        status = code;
        try (TruenasApi api = open()) {
            assertThatThrownBy(() -> api.release(TestWork.patient().left(Duration.ofSeconds(2))))
                    .hasMessageContaining("FL-CON-003");
        }

        assertThat(requests()).isNotEmpty().noneMatch(ForeignServerTest::hasCredential);
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 20, 1 << 23})
    void an_answer_that_would_not_fit_is_a_failure(int values) throws Exception {
        rows = "[" + "0,".repeat(values) + "0]";
        try (TruenasApi api = open()) {
            assertThatThrownBy(() -> api.list(ApiCollection.DATASET, ApiQuery.all(), work))
                    .hasMessageContaining("FL-CON-003")
                    .hasMessageContaining("more than");
        }
    }

    private TruenasApi open() {
        var settings = new TruenasSettings(
                URI.create("http://" + server.getHostName() + ":" + server.getPort() + "/"),
                ConnectedBox.byPassword("root", "pass-w0rd"),
                new Trust.SystemRoots());
        return connections.open("here", settings, List.of("tank/k8s"));
    }

    private List<RecordedRequest> requests() throws InterruptedException {
        List<RecordedRequest> all = new ArrayList<>();
        while (taken < server.getRequestCount()) {
            all.add(server.takeRequest());
            taken++;
        }
        return all;
    }

    private static boolean hasCredential(RecordedRequest request) {
        return request.getHeaders().get("Authorization") != null;
    }
}
