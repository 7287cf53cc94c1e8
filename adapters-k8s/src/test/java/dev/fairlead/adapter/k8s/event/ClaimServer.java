package dev.fairlead.adapter.k8s.event;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.VolumeHealth;
import dev.fairlead.http.Json;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A server with volumes, their claims and what was told on these. */
final class ClaimServer implements AutoCloseable {
    static final String VOLUMES = "/api/v1/persistentvolumes";

    final FakeApiServer server = FakeApiServer.plain();
    Instant now = Instant.parse("2026-01-01T12:00:00Z");
    Instant elapsed = Instant.EPOCH;

    ClaimServer() {
        server.know(VOLUMES);
        server.know("/api/v1/namespaces/shop/events");
    }

    /** A process as it is started. */
    ClaimEvents process() {
        EventRecorder atOnce = work -> {
            work.run();
            return true;
        };
        return new ClaimEvents(
                server.client(),
                new ClaimEventSettings(Set.of("disks.example"), "worker-1"),
                atOnce,
                new ClaimBudget(() -> elapsed),
                () -> now);
    }

    static Map<String, VolumeHealth> abnormal(String handle, HealthReason... reasons) {
        return Map.of(
                handle,
                new VolumeHealth(Arrays.stream(reasons)
                        .map(it -> new HealthCondition(it, "0 bytes of /var/pools/fast are free"))
                        .toList()));
    }

    /** Several volumes that are full. */
    static Map<String, VolumeHealth> full(String... handles) {
        Map<String, VolumeHealth> volumes = new TreeMap<>();
        for (String handle : handles) {
            volumes.putAll(abnormal(handle, HealthReason.VOLUME_FULL));
        }
        return volumes;
    }

    /** A volume of the shop, whose name is its handle. */
    void volume(String name) {
        volume(name, "disks.example", name, "shop");
    }

    void volume(String name, String driver, String handle, String namespace) {
        String json = """
                {"metadata": {"name": "%s"},
                 "spec": {"csi": {"driver": "%s", "volumeHandle": "%s"},
                          "claimRef": {"namespace": "%s", "name": "data-%s", "uid": "u-%s"}}}""".formatted(name, driver, handle, namespace, name, name);
        server.put(VOLUMES + "/" + name, Json.object(json).orElseThrow());
    }

    /** All events, by their claims and reasons. */
    List<JsonObject> told() {
        return new TreeMap<>(server.objects())
                .entrySet().stream()
                        .filter(it -> it.getKey().contains("/events/"))
                        .map(Map.Entry::getValue)
                        .toList();
    }

    List<String> reasons() {
        return told().stream()
                .map(it -> Json.text(it, "reason").orElse(""))
                .sorted()
                .toList();
    }

    /** The claims that something was told on. */
    List<String> claims() {
        return told().stream()
                .map(it -> Json.text(Json.child(it, "involvedObject"), "name").orElse(""))
                .sorted()
                .toList();
    }

    /** The last time of the event with a reason. */
    String time(String reason) {
        return told().stream()
                .filter(it -> Json.text(it, "reason").orElse("").equals(reason))
                .findFirst()
                .flatMap(it -> Json.text(it, "lastTimestamp"))
                .orElse("");
    }

    long asked(String request) {
        return server.seen().stream().filter(it -> it.startsWith(request)).count();
    }

    @Override
    public void close() {
        server.close();
    }
}
