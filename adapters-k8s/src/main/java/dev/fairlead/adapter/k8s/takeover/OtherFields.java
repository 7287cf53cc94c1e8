package dev.fairlead.adapter.k8s.takeover;

import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import java.util.Optional;

/**
 * Finds out from {@code metadata.managedFields} when LINSTOR's affinity controller wrote to a PersistentVolume last.
 * All times in it are the API server's.
 */
public final class OtherFields {
    /** The name by which it writes. */
    public static final String MANAGER = "linstor-affinity-controller-v1";

    private Optional<Sign> newest = Optional.empty();
    private Optional<Sign> first = Optional.empty();
    private boolean listed;

    /** Says when it wrote, as the API server wrote the time, and to what. */
    record Sign(String time, String volume) {}

    /** Takes a PersistentVolume as the server gave it. */
    public synchronized void see(JsonObject volume) {
        JsonObject metadata = Json.child(volume, "metadata");
        for (JsonObject entry : Json.objects(metadata, "managedFields")) {
            String time = Json.text(entry, "time").orElse("");
            boolean its = Json.text(entry, "manager").filter(MANAGER::equals).isPresent();
            // RFC 3339 in UTC and without fractions: the order of the texts is that of the times.
            if (its && time.compareTo(newest.map(Sign::time).orElse("")) > 0) {
                newest = Optional.of(new Sign(time, Json.text(metadata, "name").orElse("")));
            }
        }
    }

    /** Takes note that all PersistentVolumes were seen. */
    public synchronized void listed() {
        if (!listed) {
            first = newest;
            listed = true;
        }
    }

    /** Returns its last write that this process has seen happen. */
    synchronized Optional<Sign> seen() {
        return newest.filter(one -> listed && !newest.equals(first));
    }

    /** Returns its last write. */
    synchronized Optional<Sign> last() {
        return newest;
    }
}
