package dev.fairlead.domain.volume;

import dev.fairlead.domain.capacity.CapacityRange;
import java.util.List;
import java.util.Map;

/**
 * A volume that somebody wants on one connection.
 *
 * @param parameters the StorageClass parameters as this connection reads them, prefixes already resolved
 */
public record CreateRequest(
        CsiName name,
        CapacityRange capacity,
        List<VolumeCapability> capabilities,
        Map<String, String> parameters,
        Content content) {
    public CreateRequest {
        capabilities = List.copyOf(capabilities);
        parameters = Map.copyOf(parameters);
    }
}
