package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.bootstrap.driver.BackendAssembler;
import dev.fairlead.bootstrap.driver.BaseFolders;
import dev.fairlead.bootstrap.driver.DaggerFactoryComponent;
import dev.fairlead.bootstrap.driver.DriverTypes;
import dev.fairlead.bootstrap.driver.FactoryComponent;
import dev.fairlead.bootstrap.driver.Locality;
import dev.fairlead.bootstrap.serving.process.HostPaths;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.TopologyPrefix;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionUpdatesTest {
    private static final ConnectionName ODD = new ConnectionName("odd");
    private static final byte[] FILE = """
            driver: local-hostpath
            local-hostpath: {shareBasePath: /share, controllerBasePath: /controller}
            """.getBytes(StandardCharsets.UTF_8);

    private final Connections connections =
            new Connections(Thread.ofPlatform().factory(), InstantSource.system(), Telemetry.NONE);

    @AfterEach
    void close() {
        connections.close();
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class, NoClassDefFoundError.class})
    void a_defect_that_a_file_brings_to_light_is_that_connections_problem_and_quotes_nothing(
            Class<? extends Throwable> defect) throws ReflectiveOperationException {
        Throwable thrown = defect.getConstructor(String.class).newInstance("hunter2");

        updates(thrown).changed(ODD, FILE);

        List<Problem> problems = connections.problems().get(ODD);
        assertThat(problems)
                .singleElement()
                .asString()
                .contains("odd.yaml", "a defect: " + defect.getSimpleName(), "report it")
                .doesNotContain("hunter2");
    }

    private ConnectionUpdates updates(Throwable thrown) {
        FactoryComponent graph = DaggerFactoryComponent.create();
        Map<String, StoreFactory> stores = new HashMap<>(graph.stores());
        stores.replaceAll((_, store) -> StoreFactory.of(store.traits(), (_, _) -> {
            throw unchecked(thrown);
        }));
        var locality = new Locality(TopologyPrefix.DEFAULT, true, Optional.of("n1"));
        var assembler = new BackendAssembler(DriverTypes.all(), stores, graph.exporters(), locality, "test", true);
        return new ConnectionUpdates(
                assembler,
                Defaults.NONE,
                connections,
                new HostPaths(List.of()),
                new ConnectionEvents(Announcer.NONE),
                BaseFolders.patient(true));
    }

    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return (RuntimeException) thrown;
    }
}
