package dev.fairlead.lab.soak.cluster;

import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import dev.fairlead.lab.soak.record.WriterLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The cluster as the slots use it: they make, change and delete its objects, and wait for what becomes of them. */
public final class SoakCluster implements AutoCloseable {
    /** The name of the CSI driver that {@code lab/deploy zfs-generic-all} installs. */
    public static final String DRIVER = "all.fairlead.dev";

    /** The namespace of the soak's pods and claims. */
    public static final String NAMESPACE = "soak";

    private static final String CORE = "/api/v1/namespaces/" + NAMESPACE;
    private static final String PODS = CORE + "/pods";
    private static final String CLAIMS = CORE + "/persistentvolumeclaims";
    private static final String ATTACHMENTS = "/apis/storage.k8s.io/v1/volumeattachments";

    private final SoakApi api;
    private final Duration limit;
    private final StatePoll poll;

    /**
     * Begins to look at the cluster.
     *
     * @param limit how long a question is repeated until it is answered
     */
    public SoakCluster(SoakApi api, Duration limit) {
        this.api = api;
        this.limit = limit;
        Answers.made(
                "namespace " + NAMESPACE,
                limit,
                () -> api.post("/api/v1/namespaces", SoakObjects.namespace(NAMESPACE)));
        this.poll = new StatePoll(api, NAMESPACE, DRIVER);
    }

    public ClusterState state() {
        return poll.state();
    }

    /** Returns why the state is old, if it is; else an empty text. */
    public String trouble() {
        return poll.trouble();
    }

    /** Waits until something is so, and says whether it was in time. */
    public boolean await(Predicate<ClusterState> wanted, Duration atMost) {
        return poll.await(wanted, atMost);
    }

    public void makeClaim(String name, String storageClass, long bytes) {
        String yaml = SoakObjects.claim(name, storageClass, bytes);
        Answers.made("claim " + name, limit, () -> api.post(CLAIMS, yaml));
    }

    public void makePod(String name, String node, String claim, boolean first) {
        String yaml = SoakObjects.pod(name, node, claim, first);
        Answers.made("pod " + name, limit, () -> api.post(PODS, yaml));
    }

    public void deletePod(String name) {
        Answers.deleted("deletion of pod " + name, limit, () -> api.delete(PODS + "/" + name));
    }

    public void deleteClaim(String name) {
        Answers.deleted("deletion of claim " + name, limit, () -> api.delete(CLAIMS + "/" + name));
    }

    public void grow(String claim, long bytes) {
        var _ = Answers.given(
                "size of claim " + claim, limit, () -> api.patch(CLAIMS + "/" + claim, SoakObjects.size(bytes)));
    }

    /** Returns what a pod has printed. */
    public WriterLog log(String pod) {
        return WriterLog.of(text(pod));
    }

    private String text(String pod) {
        return Answers.given("pod " + pod + "'s log", limit, () -> api.get(PODS + "/" + pod + "/log"));
    }

    /** Returns what Kubernetes tells of an object that it does not finish: its last events. */
    public String told(String object) {
        try {
            String events = api.get(CORE + "/events?fieldSelector=involvedObject.name=" + object)
                    .body();
            List<String> lines = new ArrayList<>();
            for (JsonObject event : Json.objects(Json.object(events).orElseGet(JsonObject::new), "items")) {
                lines.add(Json.text(event, "reason").orElse("") + ": "
                        + Json.text(event, "message").orElse(""));
            }
            List<String> last = lines.subList(Math.max(0, lines.size() - 3), lines.size());
            return last.isEmpty() ? "no events" : "its last events: " + String.join("; ", last);
        } catch (IOException | RuntimeException e) {
            return "its events could not be read: " + e;
        }
    }

    /** Returns the last lines of what a pod has printed, for a message. */
    public String lastSaid(String pod) {
        try {
            List<String> lines = api.get(PODS + "/" + pod + "/log?tailLines=6")
                    .body()
                    .lines()
                    .toList();
            return "it said last: " + String.join(" | ", lines);
        } catch (IOException | RuntimeException e) {
            return "its log could not be read: " + e;
        }
    }

    /** Returns the names of the driver's VolumeAttachments. */
    public List<String> attachments() throws IOException {
        JsonObject list = Json.object(api.get(ATTACHMENTS).body())
                .orElseThrow(() -> new IOException("the VolumeAttachments could not be listed"));
        List<String> found = new ArrayList<>();
        for (JsonObject item : Json.objects(list, "items")) {
            if (Json.text(Json.child(item, "spec"), "attacher").orElse("").equals(DRIVER)) {
                found.add(Json.text(Json.child(item, "metadata"), "name").orElse("without a name"));
            }
        }
        return found;
    }

    @Override
    public void close() {
        poll.close();
        api.close();
    }
}
