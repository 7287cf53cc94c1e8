package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A source that says what a test puts there. */
final class StagedSource implements PlacementSource {
    private final Map<String, PlacementReading> readings = new HashMap<>();
    private boolean silent;
    private boolean broken;

    void at(String volume, String... hosts) {
        readings.put(volume, PlacementReading.of(segments(hosts), "", "why"));
    }

    void says(String volume, PlacementReading reading) {
        readings.put(volume, reading);
    }

    void silence() {
        silent = true;
    }

    void breaks() {
        broken = true;
    }

    static VolumePlacement segments(String... hosts) {
        return VolumePlacement.within(List.of(hosts).stream()
                .map(host -> TopologySegment.of(Map.of("example.com/host", host)))
                .toList());
    }

    @Override
    public String name() {
        return "staged";
    }

    @Override
    public boolean answersFor(PlacedVolume volume) {
        return volume.driver().equals("org.example.csi");
    }

    @Override
    public Map<String, PlacementReading> read(List<PlacedVolume> volumes) {
        if (broken) {
            throw new NumberFormatException("x");
        }
        if (silent) {
            throw new StorageException(new Failure.ClusterUnavailable("asking", "no answer"));
        }
        return Map.copyOf(readings);
    }

    @Override
    public void listen(PlacementHints hints) {}

    @Override
    public void close() {}
}
