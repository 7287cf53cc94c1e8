package dev.fairlead.domain.volume;

import dev.fairlead.domain.capacity.CapacityRange;
import java.util.List;
import java.util.Map;

/**
 * Asks for a volume on one connection.
 *
 * @param parameters the StorageClass parameters as they apply to this connection, prefixes already resolved
 * @param mutable the parameters that may be changed later, read in the same way; they win over all others
 */
public record CreateRequest(
        CsiName name,
        CapacityRange capacity,
        List<VolumeCapability> capabilities,
        Map<String, String> parameters,
        Content content,
        Map<String, String> mutable) {
    public CreateRequest {
        mutable = Map.copyOf(mutable);
        capabilities = List.copyOf(capabilities);
        parameters = Map.copyOf(parameters);
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
