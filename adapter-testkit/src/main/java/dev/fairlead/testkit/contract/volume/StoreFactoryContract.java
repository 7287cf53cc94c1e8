package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.testkit.contract.FactoryContract;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Everything that a {@code StoreFactory} promises. */
public interface StoreFactoryContract extends FactoryContract<VolumeStore> {
    StoreFactory factory();

    @Override
    default VolumeStore opened(ConnectionScope scope, ConfigNode config) {
        return factory().open(scope, config);
    }

    @Test
    default void an_opened_store_declares_a_medium() {
        ConnectionScope scope =
                new ConnectionScope(new ConnectionName("test"), driverType(), Optional.empty(), "dev.fairlead.test");
        try (VolumeStore store = factory().open(scope, ConfigNode.root(goodConfig(), new Problems("test.yaml")))) {
            assertThat(store.media()).isNotEmpty();
        }
    }
}
