package dev.fairlead.adapter.freenas.hybrid;

import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.export.TargetGrowth;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.host.StorageHosts;
import java.util.List;
import java.util.Optional;

/** Opens what exporters reach a box by: its API, and SSH too if volumes are kept by that. */
public interface BoxWay {
    /** Opens the API. */
    SharedClient<TruenasApi> open(ConnectionScope scope, ConfigNode file);

    /** Returns how targets are told that a volume has grown, if the API has not grown it. */
    Optional<TargetGrowth> growth(ConnectionScope scope, ConfigNode file);

    /** Returns the way of connections that do everything by the API. */
    static BoxWay byApi(TruenasConnections connections) {
        return new BoxWay() {
            @Override
            public SharedClient<TruenasApi> open(ConnectionScope scope, ConfigNode file) {
                return connections.open(scope, file, FreenasStoreSettings.parents(file));
            }

            @Override
            public Optional<TargetGrowth> growth(ConnectionScope scope, ConfigNode file) {
                return Optional.empty();
            }
        };
    }

    /** Returns the way of connections that keep volumes by SSH; the API is not used if that leads to another box. */
    static BoxWay withSsh(TruenasConnections connections, StorageHosts hosts, OneBox boxes) {
        return new BoxWay() {
            @Override
            public SharedClient<TruenasApi> open(ConnectionScope scope, ConfigNode file) {
                List<String> parents = FreenasStoreSettings.parents(file);
                return OneBoxApi.join(boxes, connections.open(scope, file, parents), hosts, scope, file, parents);
            }

            @Override
            public Optional<TargetGrowth> growth(ConnectionScope scope, ConfigNode file) {
                return Optional.of(TargetGrowth.open(hosts, scope, file));
            }
        };
    }
}
