package dev.fairlead.application.service.connection;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.BackendSettingsBuilder;
import dev.fairlead.testkit.fake.InMemoryExporter;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Makes backends over storage in memory that tell which of their parts is closed. */
final class TestBackends {
    private TestBackends() {}

    /** One whose calls may take seconds, where it is not their time that is tested. */
    static Backend patient(ConnectionName name, String version, Consumer<String> closed) {
        VolumeStore store = store(version, VolumeMedium.Kind.FILESYSTEM, closed);
        return new Backend(name, version, store, exporter(version, closed), settings(Map.of(), Duration.ofSeconds(10)));
    }

    static Backend of(ConnectionName name, String version, Map<String, String> labels, Consumer<String> closed) {
        return of(name, version, labels, closed, () -> false);
    }

    static Backend of(
            ConnectionName name,
            String version,
            Map<String, String> labels,
            Consumer<String> closed,
            BooleanSupplier busy) {
        VolumeStore store = store(version, VolumeMedium.Kind.FILESYSTEM, closed, busy);
        return new Backend(name, version, store, exporter(version, closed), settings(labels));
    }

    static BackendSettings settings(Map<String, String> labels) {
        return settings(labels, Duration.ofMillis(20));
    }

    private static BackendSettings settings(Map<String, String> labels, Duration patience) {
        return new BackendSettingsBuilder()
                .labels(labels)
                .concurrency(2)
                .patience(patience)
                .build();
    }

    static VolumeStore store(String version, VolumeMedium.Kind kind, Consumer<String> closed) {
        return store(version, kind, closed, () -> false);
    }

    private static VolumeStore store(
            String version, VolumeMedium.Kind kind, Consumer<String> closed, BooleanSupplier busy) {
        return new InMemoryVolumeStore(InMemoryStorage.named(version).of(Set.of(kind))) {
            @Override
            public boolean busy() {
                return busy.getAsBoolean();
            }

            @Override
            public void close() {
                closed.accept("store " + version);
            }
        };
    }

    static Exporter exporter(String version, Consumer<String> closed) {
        return new InMemoryExporter(InMemoryStorage.named(version)) {
            @Override
            public void close() {
                closed.accept("exporter " + version);
            }
        };
    }
}
