package dev.fairlead.adapter.linstor.replica;

import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Holds what the controller says of one replica of a resource.
 *
 * @param uuid differs when a replica is made anew on the same node
 * @param replicated whether DRBD keeps it like the others; plain storage has no state of a disk
 * @param disks the state of each volume's disk, by the volume's number; those without one are left out
 * @param devices the numbers of the volumes that have a device
 */
public record Replica(
        String resource,
        String node,
        String uuid,
        Set<String> flags,
        boolean replicated,
        Map<Long, String> disks,
        Set<Long> devices) {
    /** The flags by which a replica has no data, has it no more, or never got it. */
    private static final Set<String> NOT_OF_USE = Set.of(
            "DISKLESS",
            "DRBD_DISKLESS",
            "NVME_INITIATOR",
            "EBS_INITIATOR",
            "TIE_BREAKER",
            "DELETE",
            "DRBD_DELETE",
            "FAILED_DEPLOYMENT",
            "FAILED_DISCONNECT");

    /** The keys of an entry of a view that {@link #of} looks at. */
    public static final Set<String> KEYS = Set.of(
            "name",
            "node_name",
            "uuid",
            "flags",
            "layer_object",
            "type",
            "children",
            "volumes",
            "volume_number",
            "state",
            "disk_state",
            "device_path");

    private static final String EVACUATE = "EVACUATE";
    private static final String UP_TO_DATE = "UpToDate";

    /** The disks of a replica of one volume that has its data. */
    private static final Map<Long, String> GOOD = Map.of(0L, UP_TO_DATE);

    private static final Set<Long> ONE_DEVICE = Set.of(0L);

    /** The state by which a satellite says that it does not know the disk. */
    private static final String NOT_KNOWN = "DUnknown";

    /** Says whether a replica has a volume's data. */
    public enum Evidence {
        PRESENT,
        ABSENT,
        /** The satellite has not told: its node is offline, or the controller has just started. */
        NOT_TOLD
    }

    public Replica {
        flags = Set.copyOf(flags);
        // Most of thousands are alike.
        disks = disks.equals(GOOD) ? GOOD : Map.copyOf(disks);
        devices = devices.equals(ONE_DEVICE) ? ONE_DEVICE : Set.copyOf(devices);
    }

    /** Returns this, with another text of the same name. */
    public Replica of(String sameResource) {
        return new Replica(sameResource, node, uuid, flags, replicated, disks, devices);
    }

    /** Reads an entry of a view of resources; empty if it does not name a resource and a node. */
    public static Optional<Replica> of(JsonObject entry) {
        Optional<String> resource = Json.text(entry, "name").filter(text -> !text.isEmpty());
        Optional<String> node = Json.text(entry, "node_name").filter(text -> !text.isEmpty());
        if (resource.isEmpty() || node.isEmpty()) return Optional.empty();
        Map<Long, String> disks = new HashMap<>();
        Map<Long, String> devices = new HashMap<>();
        for (JsonObject volume : Json.objects(entry, "volumes")) {
            Optional<Long> number = Json.number(volume, "volume_number");
            if (number.isEmpty()) continue;
            Json.text(Json.child(volume, "state"), "disk_state")
                    .ifPresent(state -> disks.put(number.get(), state.intern()));
            Json.text(volume, "device_path")
                    .filter(path -> !path.isEmpty())
                    .ifPresent(path -> devices.put(number.get(), path));
        }
        return Optional.of(new Replica(
                resource.get(),
                // Thousands of replicas have the same few texts.
                node.get().intern(),
                Json.text(entry, "uuid").orElse(""),
                Set.copyOf(Json.texts(entry, "flags")),
                hasDrbd(Json.child(entry, "layer_object")),
                disks,
                devices.keySet()));
    }

    /** Says whether DRBD is among the layers, whichever is on top. */
    private static boolean hasDrbd(JsonObject layer) {
        if (Json.text(layer, "type").filter("DRBD"::equals).isPresent()) return true;
        List<JsonObject> below = Json.objects(layer, "children");
        return below.stream().anyMatch(Replica::hasDrbd);
    }

    /** Says whether this replica is being moved away; it has its data until it is gone. */
    public boolean isLeaving() {
        return flags.contains(EVACUATE);
    }

    /**
     * Says whether it has the data of a volume: no flag denies it, and its disk is up to date. A replica that moves
     * here has no flag and no data for seconds. Plain storage has a device instead of a state.
     *
     * @param online whether the node's satellite answers
     */
    public Evidence dataOf(long volume, boolean online) {
        if (flags.stream().anyMatch(NOT_OF_USE::contains)) return Evidence.ABSENT;
        if (!online) return Evidence.NOT_TOLD;
        if (!replicated) return devices.contains(volume) ? Evidence.PRESENT : Evidence.ABSENT;
        String state = disks.get(volume);
        if (state == null || state.equals(NOT_KNOWN)) return Evidence.NOT_TOLD;
        return state.equals(UP_TO_DATE) ? Evidence.PRESENT : Evidence.ABSENT;
    }

    /** Says whether another look shows another replica, or other data; a look that tells nothing contradicts none. */
    public boolean contradicts(Replica other, Collection<Long> volumes) {
        return !uuid.equals(other.uuid)
                || volumes.stream().anyMatch(volume -> {
                    Evidence ours = dataOf(volume, true);
                    Evidence theirs = other.dataOf(volume, true);
                    return ours != theirs && ours != Evidence.NOT_TOLD && theirs != Evidence.NOT_TOLD;
                });
    }
}
