package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.application.service.affinity.ConnectionPlaces.Place;
import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologyChoice;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells for a volume of a connection what a new volume of it would report: an edited topology holds for the volumes
 * that are there, too. Volumes of node-local storage never change.
 */
public final class ConnectionTopology implements PlacementSource {
    /**
     * The greatest number of places that are compared with those of each volume: whoever writes one connection's file
     * must not keep all others waiting.
     */
    private static final int MOST_PLACES = 256;

    private final Set<String> drivers;
    private final HandleCodec handles;
    private final ConnectionPlaces places;

    /** @param drivers the CSI names of this installation */
    public ConnectionTopology(Set<String> drivers, HandleCodec handles, ConnectionPlaces places) {
        this.drivers = Set.copyOf(drivers);
        this.handles = handles;
        this.places = places;
    }

    @Override
    public String name() {
        return "connections";
    }

    @Override
    public boolean answersFor(PlacedVolume volume) {
        return drivers.contains(volume.driver())
                && handle(volume)
                        .filter(handle -> !(places.of(handle.connection()) instanceof Place.NodeLocal))
                        .isPresent();
    }

    @Override
    public String group(PlacedVolume volume) {
        return handle(volume).map(handle -> "connection " + handle.connection()).orElse("no connection");
    }

    @Override
    public Map<String, PlacementReading> read(List<PlacedVolume> volumes) {
        places.refresh();
        Map<String, PlacementReading> readings = new HashMap<>();
        for (PlacedVolume volume : volumes) {
            handle(volume).ifPresent(handle -> readings.put(volume.name(), reading(handle)));
        }
        return readings;
    }

    private PlacementReading reading(VolumeHandle handle) {
        String connection = "connection " + handle.connection();
        return switch (places.of(handle.connection())) {
            case Place.NodeLocal() -> PlacementReading.leftAlone(connection + " keeps each volume on one node");
            case Place.Unusable(String why) -> PlacementReading.unknown(connection + ": " + why);
            case Place.Shared(Placement placement) ->
                PlacementReading.of(placement(placement), "", "the topology of " + connection);
        };
    }

    private static VolumePlacement placement(Placement placement) {
        List<TopologySegment> reported = TopologyChoice.reported(placement);
        return switch (placement) {
            case Placement.Anywhere() -> VolumePlacement.anywhere();
            case Placement.Unknown() -> new VolumePlacement.Unknown("its file does not say from where it is reachable");
            case Placement.Within(List<Placement.Place> all)
            when all.size() > MOST_PLACES ->
                new VolumePlacement.Unknown(
                        Optional.of(AffinityFinding.UNREADABLE),
                        "its file has " + all.size() + " places (expected: " + MOST_PLACES + " at most)");
            case Placement.Within(List<Placement.Place> all) ->
                // A place without labels is everywhere, and its file says so.
                reported.isEmpty() && !all.isEmpty() ? VolumePlacement.anywhere() : VolumePlacement.within(reported);
        };
    }

    private Optional<VolumeHandle> handle(PlacedVolume volume) {
        try {
            return handles.volume(volume.handle());
        } catch (StorageException _) {
            return Optional.empty();
        }
    }

    @Override
    public void listen(PlacementHints hints) {
        places.listen(hints::anyMoved);
    }

    @Override
    public void close() {
        places.close();
    }
}
