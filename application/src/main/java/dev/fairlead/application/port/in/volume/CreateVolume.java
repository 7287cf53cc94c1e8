package dev.fairlead.application.port.in.volume;

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
     * @param parameters those of the StorageClass, as the caller sent them
     * @param mutable those of the VolumeAttributesClass, which may be changed later, as the caller sent them
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

        /** Makes a command without mutable parameters. */
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
