package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.StoreTraits;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.testkit.contract.FactoryContract;
import org.junit.jupiter.api.Test;

/** Everything that a {@code StoreFactory} promises. */
public interface StoreFactoryContract extends FactoryContract<VolumeStore> {
    StoreFactory factory();

    @Override
    default VolumeStore opened(ConnectionScope scope, ConfigNode config) {
        return factory().open(scope, config);
    }

    @Test
    default void an_opened_store_makes_the_media_that_the_factory_claims() {
        try (VolumeStore store = opened()) {
            assertThat(store.media()).isNotEmpty().isEqualTo(factory().traits().media());
        }
    }

    @Test
    default void an_opened_store_has_the_roles_that_the_factory_claims_and_no_others() {
        try (VolumeStore store = opened()) {
            assertThat(StoreTraits.rolesOf(store)).isEqualTo(factory().traits().roles());
        }
    }
}
