package dev.fairlead.application.service.plan;

import dev.fairlead.application.port.out.store.VolumeModification;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.parameters.ParameterScopes;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Resolves mutable parameters for a connection, with the scopes of a class: one VolumeAttributesClass may serve several
 * connections.
 */
public final class MutableParameters {
    private MutableParameters() {}

    /**
     * Returns the parameters that apply to volumes of this connection; refuses them, before any effect, if it cannot
     * have them.
     */
    public static Map<String, String> of(Backend backend, Map<String, String> raw) {
        if (raw.isEmpty()) {
            return raw;
        }
        Optional<VolumeModification> role = backend.store().modification();
        Set<String> known = role.map(VolumeModification::keys).orElse(Set.of());
        var scopes = new ParameterScopes(backend.settings().instanceId(), backend.driverType(), known);
        Map<String, String> applying = scopes.resolve(raw);
        if (applying.isEmpty()) {
            return applying;
        }
        role.orElseThrow(() -> new StorageException(new Failure.Unsupported(
                        "mutable_parameters: connection " + backend.name() + ", of driver " + backend.driverType()
                                + ", has nothing that can be changed of a volume",
                        "use no VolumeAttributesClass for its volumes, or scope its entries to other drivers")))
                .check(applying);
        return applying;
    }
}
