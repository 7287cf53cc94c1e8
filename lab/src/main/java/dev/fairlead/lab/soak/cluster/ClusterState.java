package dev.fairlead.lab.soak.cluster;

import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Holds what the API server says of the soak's pods, claims and volumes at one moment, by their names.
 *
 * @param volumes those of the soak's driver
 */
public record ClusterState(Map<String, Pod> pods, Map<String, Claim> claims, Map<String, Volume> volumes) {
    /** Holds nothing, as before the API server has answered. */
    public static final ClusterState NONE = new ClusterState(Map.of(), Map.of(), Map.of());

    public ClusterState {
        pods = Map.copyOf(pods);
        claims = Map.copyOf(claims);
        volumes = Map.copyOf(volumes);
    }

    /**
     * A pod as it was seen.
     *
     * @param restarts how often its container was started again
     */
    public record Pod(String phase, boolean ready, int restarts) {}

    /**
     * A claim as it was seen.
     *
     * @param volume the name of its volume; empty until it has one
     */
    public record Claim(String phase, String volume) {}

    /** A volume as it was seen. */
    public record Volume(String phase, long bytes) {}

    /** Reads the three lists of the API server; throws if one of them is none. */
    static ClusterState of(String pods, String claims, String volumes, String driver) {
        return new ClusterState(
                items(pods, _ -> true, ClusterState::pod),
                items(claims, _ -> true, ClusterState::claim),
                items(volumes, item -> isOf(driver, item), ClusterState::volume));
    }

    private static <T> Map<String, T> items(String list, Predicate<JsonObject> wanted, Function<JsonObject, T> reader) {
        JsonObject read =
                Json.object(list).orElseThrow(() -> new IllegalArgumentException("no list, but: " + shortened(list)));
        if (!Json.text(read, "kind").orElse("").endsWith("List")) {
            throw new IllegalArgumentException("no list, but: " + shortened(list));
        }
        Map<String, T> found = new LinkedHashMap<>();
        for (JsonObject item : Json.objects(read, "items")) {
            if (wanted.test(item)) {
                found.put(Json.text(Json.child(item, "metadata"), "name").orElseThrow(), reader.apply(item));
            }
        }
        return found;
    }

    static String shortened(String text) {
        return text.length() <= 400 ? text : text.substring(0, 400) + "…";
    }

    private static Pod pod(JsonObject item) {
        JsonObject status = Json.child(item, "status");
        boolean ready = false;
        long restarts = 0;
        for (JsonObject container : Json.objects(status, "containerStatuses")) {
            ready = Json.flag(container, "ready");
            restarts += Json.number(container, "restartCount").orElse(0L);
        }
        return new Pod(Json.text(status, "phase").orElse(""), ready, Math.toIntExact(restarts));
    }

    private static Claim claim(JsonObject item) {
        return new Claim(
                Json.text(Json.child(item, "status"), "phase").orElse(""),
                Json.text(Json.child(item, "spec"), "volumeName").orElse(""));
    }

    private static boolean isOf(String driver, JsonObject item) {
        JsonObject csi = Json.child(Json.child(item, "spec"), "csi");
        return Json.text(csi, "driver").orElse("").equals(driver);
    }

    private static Volume volume(JsonObject item) {
        JsonObject capacity = Json.child(Json.child(item, "spec"), "capacity");
        return new Volume(
                Json.text(Json.child(item, "status"), "phase").orElse(""),
                Quantity.bytes(Json.text(capacity, "storage").orElse("0")));
    }

    /** Says whether a pod runs and is ready. */
    public boolean runs(String pod) {
        Pod found = pods.get(pod);
        return found != null && found.ready() && found.phase().equals("Running");
    }

    /** Returns how often a pod's container was started again; 0 if the pod is not there. */
    public int restartsOf(String pod) {
        Pod found = pods.get(pod);
        return found == null ? 0 : found.restarts();
    }

    /** Returns the name of a claim's volume; an empty text if it has none. */
    public String volumeOf(String claim) {
        Claim found = claims.get(claim);
        return found == null ? "" : found.volume();
    }

    /** Says whether a claim has its volume. */
    public boolean bound(String claim) {
        Claim found = claims.get(claim);
        return found != null && found.phase().equals("Bound") && volumes.containsKey(found.volume());
    }

    /** Says whether a volume has at least a size. */
    public boolean holds(String volume, long bytes) {
        Volume found = volumes.get(volume);
        return found != null && found.bytes() >= bytes;
    }

    /** Says whether neither a claim nor its volume is there. */
    public boolean gone(String claim, String volume) {
        return !claims.containsKey(claim) && !volumes.containsKey(volume);
    }
}
