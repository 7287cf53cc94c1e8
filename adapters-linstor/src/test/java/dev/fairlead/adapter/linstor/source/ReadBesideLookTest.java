package dev.fairlead.adapter.linstor.source;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.linstor.client.Controllers;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.http.HttpSettings;
import dev.fairlead.http.trust.Trust;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A few resources are read while a look at all of them takes long, and what that tells late is the older one. */
@Timeout(60)
class ReadBesideLookTest {
    private static final int RESOURCES = 8;

    private final Map<Integer, List<Integer>> places = new ConcurrentHashMap<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final MockWebServer server = new MockWebServer();
    private volatile CountDownLatch look = new CountDownLatch(0);
    private volatile CountDownLatch looking = new CountDownLatch(0);
    private volatile CountDownLatch few = new CountDownLatch(0);
    private volatile CountDownLatch askingForFew = new CountDownLatch(0);
    private volatile String zone = "z";
    private volatile String volumes = "{\"volume_number\": 0}";
    private LinstorPlacementSource source;

    @BeforeEach
    void all_have_been_read() throws IOException {
        server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                requests.incrementAndGet();
                return new MockResponse.Builder()
                        .code(200)
                        .body(answer(request))
                        .build();
            }
        });
        server.start();
        HttpSettings settings = new HttpSettings(
                server.url("/").uri(), new Trust.SystemRoots(), Optional.empty(), Optional.empty(), "test", 1 << 20);
        source = new LinstorPlacementSource(
                new Controllers(List.of(settings.server()), _ -> settings),
                Optional.empty(),
                false,
                Thread.ofVirtual().factory());
        for (int at = 0; at < RESOURCES; at++) places.put(at, List.of(1, 2));
        assertThat(nodes(all(), 2)).isEqualTo("[node-1, node-2]");
    }

    @AfterEach
    void close() {
        source.close();
        server.close();
    }

    @Test
    void a_resource_is_read_during_a_look_and_the_look_does_not_undo_what_was_seen() throws Exception {
        CompletableFuture<Map<String, PlacementReading>> late = heldLook();
        places.put(2, List.of(1, 3));

        assertThat(nodes(one(2), 2)).isEqualTo("[node-1, node-3]");
        assertThat(late).isNotDone();
        look.countDown();
        Map<String, PlacementReading> looked = late.get(20, TimeUnit.SECONDS);

        assertThat(nodes(looked, 1)).isEqualTo("[node-1, node-2]");
        assertThat(nodes(looked, 2)).as("what was seen later").isEqualTo("[node-1, node-3]");
        requests.set(0);
        assertThat(nodes(one(2), 2)).isEqualTo("[node-1, node-3]");
        assertThat(requests).as("nothing about it was surprising").hasValue(3);
    }

    @Test
    void both_volumes_of_a_resource_are_told_of_although_a_look_reads_one_of_them_late() throws Exception {
        volumes = "{\"volume_number\": 0}, {\"volume_number\": 1}";
        CompletableFuture<Map<String, PlacementReading>> late = heldLook(new PlacedVolume(
                "second",
                LinstorPlacementSource.DRIVER,
                "vol-2/1",
                Map.of(),
                Map.of(),
                Optional.of("fast"),
                Optional.of(Map.of("allowRemoteVolumeAccess", "false"))));
        places.put(2, List.of(1, 3));

        assertThat(nodes(one(2), 2)).isEqualTo("[node-1, node-3]");
        look.countDown();

        assertThat(places(late.get(20, TimeUnit.SECONDS).get("second"))).isEqualTo("[node-1, node-3]");
    }

    @Test
    void nodes_that_change_during_a_look_make_none_of_it_doubtful() throws Exception {
        CompletableFuture<Map<String, PlacementReading>> late = heldLook();
        zone = "y";

        assertThat(nodes(one(3), 3)).isEqualTo("[node-1, node-2]");
        look.countDown();

        assertThat(nodes(late.get(20, TimeUnit.SECONDS), 1)).isEqualTo("[node-1, node-2]");
        assertThat(nodes(all(), 1)).isEqualTo("[node-1, node-2]");
    }

    @Test
    void a_resource_whose_reading_ends_after_that_of_a_look_which_began_later_is_read_anew() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        few = first;
        askingForFew = new CountDownLatch(1);
        CompletableFuture<Map<String, PlacementReading>> late = CompletableFuture.supplyAsync(() -> one(2));
        assertThat(askingForFew.await(20, TimeUnit.SECONDS)).isTrue();
        few = new CountDownLatch(0);
        places.put(2, List.of(1, 3));
        assertThat(nodes(all(), 2)).isEqualTo("[node-1, node-3]");

        first.countDown();

        assertThat(nodes(late.get(20, TimeUnit.SECONDS), 2)).isEqualTo("[node-1, node-3]");
        requests.set(0);
        assertThat(nodes(one(2), 2)).isEqualTo("[node-1, node-3]");
        assertThat(requests).as("nothing about it was surprising").hasValue(3);
    }

    private CompletableFuture<Map<String, PlacementReading>> heldLook(PlacedVolume... more)
            throws InterruptedException {
        look = new CountDownLatch(1);
        looking = new CountDownLatch(1);
        CompletableFuture<Map<String, PlacementReading>> late = CompletableFuture.supplyAsync(() -> all(more));
        assertThat(looking.await(20, TimeUnit.SECONDS)).isTrue();
        return late;
    }

    private Map<String, PlacementReading> all(PlacedVolume... more) {
        return source.read(
                Stream.concat(IntStream.range(0, RESOURCES).mapToObj(ReadBesideLookTest::volume), Stream.of(more))
                        .toList());
    }

    private Map<String, PlacementReading> one(int resource) {
        return source.read(List.of(volume(resource)));
    }

    private static String nodes(Map<String, PlacementReading> readings, int resource) {
        return places(readings.get("pv-" + resource));
    }

    private static String places(@Nullable PlacementReading reading) {
        return reading != null && reading.placement() instanceof VolumePlacement.Segments(var any)
                ? new TreeSet<>(any.stream()
                                .flatMap(segment -> segment.labels().values().stream())
                                .toList())
                        .toString()
                : String.valueOf(reading);
    }

    private static PlacedVolume volume(int resource) {
        return new PlacedVolume(
                "pv-" + resource,
                LinstorPlacementSource.DRIVER,
                "vol-" + resource,
                Map.of(),
                Map.of(),
                Optional.of("fast"),
                Optional.of(Map.of("allowRemoteVolumeAccess", "false")));
    }

    /** Answers as things are when it is asked; a look at all replicas is then held back. */
    private String answer(RecordedRequest request) {
        String path = request.getUrl().encodedPath();
        Optional<String> named = Optional.ofNullable(request.getUrl().queryParameter("resources"))
                .or(() -> Optional.ofNullable(request.getUrl().queryParameter("resource_definitions")));
        String entries = switch (path) {
            case "/v1/nodes" ->
                IntStream.rangeClosed(1, 3)
                        .mapToObj(at -> """
                                        {"name": "node-%1$d", "connection_status": "ONLINE", "props": {
                                         "Aux/topology/kubernetes.io/hostname": "node-%1$d", "Aux/topology/zone": "%2$s"}}""".formatted(at, zone))
                        .collect(joining(","));
            case "/v1/resource-definitions" ->
                wanted(named)
                        .mapToObj(at -> "{\"name\": \"vol-%d\", \"volume_definitions\": [%s]}".formatted(at, volumes))
                        .collect(joining(","));
            default ->
                wanted(named)
                        .boxed()
                        .flatMap(at ->
                                places.getOrDefault(at, List.of()).stream().map(node -> view(at, node)))
                        .collect(joining(","));
        };
        if (path.equals("/v1/view/resources")) {
            CountDownLatch held = named.isEmpty() ? look : few;
            (named.isEmpty() ? looking : askingForFew).countDown();
            try {
                held.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
        boolean beyond = !"0"
                .equals(Optional.ofNullable(request.getUrl().queryParameter("offset"))
                        .orElse("0"));
        return beyond ? "[]" : "[" + entries + "]";
    }

    private static IntStream wanted(Optional<String> named) {
        return IntStream.range(0, RESOURCES)
                .filter(at -> named.filter(name -> !name.equals("vol-" + at)).isEmpty());
    }

    private static String view(int resource, int node) {
        return """
                {"name": "vol-%1$d", "node_name": "node-%2$d", "uuid": "%1$d-%2$d", "layer_object": {"type": "DRBD"},
                 "volumes": [{"volume_number": 0, "state": {"disk_state": "UpToDate"}},
                             {"volume_number": 1, "state": {"disk_state": "UpToDate"}}]}""".formatted(resource, node);
    }
}
