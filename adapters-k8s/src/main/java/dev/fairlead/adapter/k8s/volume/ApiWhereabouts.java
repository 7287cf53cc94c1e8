package dev.fairlead.adapter.k8s.volume;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ObjectSearch;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds volumes and snapshots by the objects of Kubernetes: a PersistentVolume says by its node affinity where its
 * volume is, a VolumeSnapshotContent by the label that names its node's snapshotter, or else by the volume that it was
 * taken of.
 */
public final class ApiWhereabouts implements Whereabouts {
    /** The longest search, since a caller that waits has to be answered before it gives up. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The same for what a volume is made without. */
    static final Duration BRIEF = Duration.ofSeconds(2);

    private static final Logger log = LoggerFactory.getLogger(ApiWhereabouts.class);
    private static final List<String> VOLUMES = List.of("api", "v1", "persistentvolumes");
    private static final List<String> CONTENTS =
            List.of("apis", "snapshot.storage.k8s.io", "v1", "volumesnapshotcontents");
    private static final String MANAGED_BY = "snapshot.storage.kubernetes.io/managed-by";

    /** The name that the snapshotter gives a snapshot; its UUID is also in the name of the VolumeSnapshotContent. */
    private static final Pattern SNAPSHOT = Pattern.compile(
            ".*snapshot-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})", Pattern.DOTALL);

    private final ApiClient api;
    private final WhereaboutsSettings here;
    private final ClaimRedirection turn;
    private final ClaimBinding binding = new ClaimBinding(System::nanoTime);

    public ApiWhereabouts(ApiClient api, WhereaboutsSettings here) {
        this.api = api;
        this.here = here;
        this.turn = new ClaimRedirection(api, here);
    }

    @Override
    public Place ofVolume(String handle, Duration patience) {
        return asked(
                "looking for the volume " + handle,
                patience,
                search -> volume(handle, search).map(this::placeOfVolume).orElse(Place.NOWHERE_ELSE));
    }

    @Override
    public Place ofSnapshot(String handle, Duration patience) {
        return asked(
                "looking for the snapshot " + handle,
                patience,
                search -> content(handle, search)
                        .map(content -> placeOfContent(content, search))
                        .orElse(Place.NOWHERE_ELSE));
    }

    @Override
    public Optional<Place> ofClaim(Claim claim, Duration patience) {
        return here.followsClaims()
                ? asked("reading the claim " + claim, patience, search -> ClaimNode.of(claim, here.node(), search))
                : Optional.empty();
    }

    @Override
    public Optional<String> boundAtOnce(Claim claim, Duration patience) {
        try {
            return asked(
                    "reading the class of the claim " + claim,
                    patience.compareTo(BRIEF) < 0 ? patience : BRIEF,
                    search -> binding.atOnce(claim, search));
        } catch (StorageException e) {
            log.atWarn()
                    .addKeyValue("claim", claim)
                    .log(
                            "its class is not known, and not refused if it is Immediate: {}",
                            e.failure().message());
            return Optional.empty();
        }
    }

    @Override
    public boolean turn(Claim claim, String node, Duration patience) {
        try {
            return turn.to(node, claim, least(patience));
        } finally {
            api.idle();
        }
    }

    private <T> T asked(String what, Duration patience, Function<ObjectSearch, T> question) {
        try {
            return question.apply(ObjectSearch.within(least(patience), api, what));
        } finally {
            api.idle();
        }
    }

    private static Duration least(Duration patience) {
        return patience.compareTo(PATIENCE) < 0 ? patience : PATIENCE;
    }

    /** Finds the PersistentVolume of a volume; it mostly has the same name, if the provisioner asked for the volume. */
    private Optional<JsonObject> volume(String handle, ObjectSearch search) {
        String name = handle.substring(handle.lastIndexOf('/') + 1);
        return search.find(VOLUMES, Optional.of(name), volume -> {
            JsonObject csi = Json.child(Json.child(volume, "spec"), "csi");
            return ours(csi) && is(csi, "volumeHandle", handle);
        });
    }

    private Optional<JsonObject> content(String handle, ObjectSearch search) {
        Optional<String> name = Optional.of(SNAPSHOT.matcher(handle))
                .filter(Matcher::matches)
                .map(matcher -> "snapcontent-" + matcher.group(1));
        return search.find(CONTENTS, name, content -> {
            JsonObject spec = Json.child(content, "spec");
            return ours(spec)
                    && (is(Json.child(content, "status"), "snapshotHandle", handle)
                            || is(Json.child(spec, "source"), "snapshotHandle", handle));
        });
    }

    private boolean ours(JsonObject object) {
        return Json.text(object, "driver").filter(here.drivers()::contains).isPresent();
    }

    private static boolean is(JsonObject object, String key, String value) {
        return Json.text(object, key).filter(value::equals).isPresent();
    }

    private Place placeOfVolume(JsonObject volume) {
        VolumeAffinity affinity = VolumeAffinity.of(volume);
        Map<String, String> labels = here.labels().get();
        if (affinity.admits(labels)) {
            return Place.NOWHERE_ELSE;
        }
        Optional<String> node = labels.entrySet().stream()
                .filter(label -> label.getValue().equals(here.node()))
                .flatMap(label -> affinity.only(label.getKey()).stream())
                .findFirst();
        String where = node.map(name -> " is of the node " + name).orElse(" does not admit this one");
        return new Place.Elsewhere(node, "PersistentVolume " + name(volume) + where);
    }

    private Place placeOfContent(JsonObject content, ObjectSearch search) {
        String witness = "VolumeSnapshotContent " + name(content);
        Optional<String> node = Json.text(Json.child(Json.child(content, "metadata"), "labels"), MANAGED_BY);
        if (node.isPresent()) {
            return node.get().equals(here.node())
                    ? Place.NOWHERE_ELSE
                    : new Place.Elsewhere(node, witness + " is managed by the node " + node.get());
        }
        return Json.text(Json.child(Json.child(content, "spec"), "source"), "volumeHandle")
                .flatMap(source -> volume(source, search))
                .map(this::placeOfVolume)
                // It exists, but not here: an answer that it does not exist would be final.
                .orElseGet(() -> new Place.Elsewhere(
                        Optional.empty(), witness + " does not say on which (it lacks the label " + MANAGED_BY + ")"));
    }

    private static String name(JsonObject object) {
        return Json.text(Json.child(object, "metadata"), "name").orElse("?");
    }
}
