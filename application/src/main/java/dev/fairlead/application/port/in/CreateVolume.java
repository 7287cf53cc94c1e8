package dev.fairlead.application.port.in;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.VolumeCapability;
import java.util.List;
import java.util.Map;

/** Chooses a connection, makes the volume there, makes it reachable, and verifies both. */
public interface CreateVolume {
    VolumeView create(Command command, Work work);

    /**
     * @param parameters of the StorageClass, as they came
     * @param mutable those that may be changed later, of the VolumeAttributesClass, as they came
     */
    record Command(
            CsiName name,
            CapacityRange capacity,
            List<VolumeCapability> capabilities,
            Map<String, String> parameters,
            Source source,
            AccessibilityRequirement reach,
            Map<String, String> mutable) {
        public Command {
            mutable = Map.copyOf(mutable);
            capabilities = List.copyOf(capabilities);
            parameters = Map.copyOf(parameters);
        }

        /** A volume without mutable parameters. */
        public Command(
                CsiName name,
                CapacityRange capacity,
                List<VolumeCapability> capabilities,
                Map<String, String> parameters,
                Source source,
                AccessibilityRequirement reach) {
            this(name, capacity, capabilities, parameters, source, reach, Map.of());
        }
    }
}
