package dev.fairlead.testkit.model;

import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.BackendSettings;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.BackendSettingsBuilder;
import dev.fairlead.testkit.fake.InMemoryExporter;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.SteppingClock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A controller of one connection over storage in memory, whose volumes the test can look into. */
final class MemoryCalls extends UseCaseCalls implements AutoCloseable {
    private static final ConnectionName NAME = new ConnectionName("memory");
    private static final String PREFIX = "v:" + NAME + "/";

    private final InMemoryStorage storage;
    private final Connections connections;

    private MemoryCalls(InMemoryStorage storage, Connections connections, ControllerUseCases useCases) {
        super(useCases, Map.of("connection", NAME.value()));
        this.storage = storage;
        this.connections = connections;
    }

    static MemoryCalls over(InMemoryStorage storage, Function<InMemoryStorage, VolumeStore> opening) {
        SteppingClock clock = SteppingClock.standing();
        Connections connections = new Connections(Thread.ofPlatform().daemon().factory(), clock, Telemetry.NONE);
        connections.install(
                new Backend(NAME, "memory", opening.apply(storage), new InMemoryExporter(storage), settings()));
        ControllerUseCases useCases = UseCases.controller(
                connections,
                new HandleCodec.Proxied(),
                new KeyedLocks(clock),
                Optional.empty(),
                NodeIdCodec.PLAIN,
                Telemetry.NONE,
                Whereabouts.NONE);
        return new MemoryCalls(storage, connections, useCases);
    }

    private static BackendSettings settings() {
        return new BackendSettingsBuilder()
                .concurrency(2)
                .patience(Duration.ofSeconds(20))
                .build();
    }

    @Override
    public void write(String volume, String content) {
        storage.write(id(volume), "data", content);
    }

    @Override
    public Optional<String> read(String volume) {
        return Optional.of(storage.volume(id(volume)).files().getOrDefault("data", ""));
    }

    private static NativeId id(String handle) {
        return new NativeId(handle.substring(PREFIX.length()));
    }

    @Override
    public void close() {
        connections.remove(NAME);
    }
}
