package dev.fairlead.application.port.in.volume;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.domain.volume.VolumeCapability;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reports how much room there is for volumes of a StorageClass in a topology segment (CSI GetCapacity). */
public interface ReportCapacity {
    Result report(Command command, Work work);

    record Command(
            Map<String, String> parameters, List<VolumeCapability> capabilities, Optional<TopologySegment> where) {
        public Command {
            parameters = Map.copyOf(parameters);
            capabilities = List.copyOf(capabilities);
        }
    }

    record Result(Capacity available, Optional<Capacity> largestVolume) {}
}
