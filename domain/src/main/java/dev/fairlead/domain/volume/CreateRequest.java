package dev.fairlead.domain.volume;

import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import java.util.List;
import java.util.Map;

/**
 * Asks for a volume on one connection.
 *
 * @param parameters the StorageClass parameters as they apply to this connection, prefixes already resolved
 * @param mutable the parameters that may be changed later, read in the same way; they win over all others
 * @param reach where the volume has to be reachable; its connection is chosen by that already, so that only a store
 *     which places each volume reads it
 */
public record CreateRequest(
        CsiName name,
        CapacityRange capacity,
        List<VolumeCapability> capabilities,
        Map<String, String> parameters,
        Content content,
        Map<String, String> mutable,
        AccessibilityRequirement reach) {
    public CreateRequest {
        mutable = Map.copyOf(mutable);
        capabilities = List.copyOf(capabilities);
        parameters = Map.copyOf(parameters);
    }

    /** Creates a request for a volume that may be anywhere. */
    public CreateRequest(
            CsiName name,
            CapacityRange capacity,
            List<VolumeCapability> capabilities,
            Map<String, String> parameters,
            Content content,
            Map<String, String> mutable) {
        this(name, capacity, capabilities, parameters, content, mutable, AccessibilityRequirement.NONE);
    }

    /** Creates a request for a volume without mutable parameters. */
    public CreateRequest(
            CsiName name,
            CapacityRange capacity,
            List<VolumeCapability> capabilities,
            Map<String, String> parameters,
            Content content) {
        this(name, capacity, capabilities, parameters, content, Map.of());
    }
}
