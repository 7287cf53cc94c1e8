package dev.fairlead.application.service;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.IdPolicy;
import dev.fairlead.domain.volume.VolumeMedium;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Backends that know their version and media, and tell when they are closed. */
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
        return new BackendSettings(
                Optional.empty(),
                IdPolicy.DEFAULT,
                false,
                CapabilityRules.localHostpath(),
                Placement.ANYWHERE,
                labels,
                VolumeStore.OnDependents.REFUSE,
                2,
                patience,
                Set.of());
    }

    static VolumeStore store(String version, VolumeMedium.Kind kind, Consumer<String> closed) {
        return store(version, kind, closed, () -> false);
    }

    private static VolumeStore store(
            String version, VolumeMedium.Kind kind, Consumer<String> closed, BooleanSupplier busy) {
        return (VolumeStore) Proxy.newProxyInstance(
                TestBackends.class.getClassLoader(),
                new Class<?>[] {VolumeStore.class},
                (_, method, _) -> switch (method.getName()) {
                    case "media" -> Set.of(kind);
                    case "busy" -> busy.getAsBoolean();
                    case "close" -> {
                        closed.accept("store " + version);
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    static Exporter exporter(String version, Consumer<String> closed) {
        return (Exporter) Proxy.newProxyInstance(
                TestBackends.class.getClassLoader(),
                new Class<?>[] {Exporter.class},
                (_, method, _) -> switch (method.getName()) {
                    case "accepts" -> VolumeMedium.Kind.FILESYSTEM;
                    case "close" -> {
                        closed.accept("exporter " + version);
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
