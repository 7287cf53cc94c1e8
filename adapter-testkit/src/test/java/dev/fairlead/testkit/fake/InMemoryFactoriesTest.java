package dev.fairlead.testkit.fake;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.export.ExporterTraits;
import dev.fairlead.application.port.out.store.NoteLook;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.StoreTraits;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.contract.FactoryContract;
import dev.fairlead.testkit.contract.FactoryContract.BadConfig;
import dev.fairlead.testkit.contract.export.ExporterFactoryContract;
import dev.fairlead.testkit.contract.volume.StoreFactoryContract;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;

class InMemoryFactoriesTest {
    private static final String PASSWORD = "planted-secret";
    private static final Mapping GOOD = ConfigTrees.of(Map.of(
            "driver",
            "memory",
            "memory",
            Map.of("gibibytes", 10, "api", Map.of("user", "root", "password", PASSWORD))));

    private static InMemoryStorage storage(ConnectionScope scope, ConfigNode config) {
        ConfigNode memory = config.child("memory");
        ConfigNode api = memory.child("api");
        int size = memory.integer("gibibytes", 1, 1, 1000);
        api.require("user", "write the name of a user");
        if (api.secret("password").isEmpty()) {
            config.problems().error(api.pathOf("password"), api.line(), "is missing", "write the password");
        }
        return InMemoryStorage.named(scope.name().value()).holding(Capacity.ofGibibytes(size));
    }

    private static VolumeStore openStore(ConnectionScope scope, ConfigNode config) {
        return new InMemoryVolumeStore(storage(scope, config));
    }

    private static Exporter openExporter(ConnectionScope scope, ConfigNode config) {
        return new InMemoryExporter(storage(scope, config));
    }

    /** What the file of a connection in memory may say. */
    interface Files<T extends AutoCloseable> extends FactoryContract<T> {
        @Override
        default Mapping goodConfig() {
            return GOOD;
        }

        @Override
        default List<BadConfig> badConfigs() {
            return mistakes();
        }

        @Override
        default List<String> secrets() {
            return List.of(PASSWORD);
        }

        @Override
        default String driverType() {
            return "memory";
        }
    }

    @Nested
    class OfStores implements StoreFactoryContract, Files<VolumeStore> {
        @Override
        public StoreFactory factory() {
            return StoreFactory.of(
                    new StoreTraits(
                            Set.of(VolumeMedium.Kind.FILESYSTEM),
                            EnumSet.complementOf(EnumSet.of(StoreTraits.Role.TRANSFER, StoreTraits.Role.PROBE)),
                            Set.of()),
                    InMemoryFactoriesTest::openStore);
        }
    }

    @Nested
    class OfExporters implements ExporterFactoryContract, Files<Exporter> {
        @Override
        public ExporterFactory factory() {
            return new FolderFactory();
        }
    }

    private static final class FolderFactory implements ExporterFactory {
        @Override
        public ExporterTraits traits() {
            return new ExporterTraits(
                    VolumeMedium.Kind.FILESYSTEM,
                    Attachment.HostPath.class,
                    CapabilityRules.files(Set.of()),
                    false,
                    true);
        }

        @Override
        public Exporter open(ConnectionScope scope, ConfigNode config, NoteLook notes) {
            return openExporter(scope, config);
        }

        @Override
        public Optional<Path> hostPath(String block, ConfigNode config) {
            return Optional.of(Path.of("/memory"));
        }
    }

    private static List<BadConfig> mistakes() {
        return List.of(
                new BadConfig(
                        "a size that is no number",
                        ConfigTrees.with(GOOD, "memory.gibibytes", "many"),
                        List.of("memory.gibibytes")),
                new BadConfig(
                        "nothing given", ConfigTrees.of(Map.of()), List.of("memory.api.user", "memory.api.password")));
    }
}
