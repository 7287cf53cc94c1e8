package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.service.Connections;
import dev.fairlead.application.service.Telemetry;
import dev.fairlead.bootstrap.check.CheckComponent;
import dev.fairlead.bootstrap.check.DaggerCheckComponent;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.bootstrap.driver.BackendAssembler;
import dev.fairlead.bootstrap.driver.BaseFolders;
import dev.fairlead.bootstrap.driver.DriverTypes;
import dev.fairlead.bootstrap.driver.Locality;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.TopologyPrefix;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two connections want one base folder: the one that has it goes on, the other waits until it is free. */
class SharedBaseFolderTest {
    @TempDir
    Path folder = Path.of("/nowhere");

    private final Connections connections =
            new Connections(Thread.ofPlatform().factory(), InstantSource.system(), Telemetry.NONE);
    private final ConnectionUpdates updates = updates(false);

    @AfterEach
    void close() {
        connections.close();
    }

    private ConnectionUpdates updates(boolean perNode) {
        CheckComponent graph = DaggerCheckComponent.create();
        var locality = new Locality(TopologyPrefix.DEFAULT, perNode, Optional.of("n1"));
        var assembler =
                new BackendAssembler(DriverTypes.all(), graph.stores(), graph.exporters(), locality, "test", true);
        return new ConnectionUpdates(
                assembler,
                Defaults.NONE,
                connections,
                new HostPaths(List.of()),
                new ConnectionNews(Announcer.NONE),
                BaseFolders.bounded(Thread.ofPlatform().daemon().factory(), perNode));
    }

    private static void write(ConnectionUpdates updates, String name, Path base, String zone) {
        String file = """
                driver: local-hostpath
                local-hostpath: {shareBasePath: %1$s, controllerBasePath: %1$s}
                proxy: {perDriver: {topology: [{requirements: {zone: %2$s}}]}}
                """.formatted(base, zone);
        updates.changed(new ConnectionName(name), file.getBytes(StandardCharsets.UTF_8));
    }

    private void write(String name, Path base) {
        write(updates, name, base, name);
    }

    private String problems(String name) {
        return connections.problems().getOrDefault(new ConnectionName(name), List.<Problem>of()).stream()
                .map(Problem::toString)
                .reduce("", String::concat);
    }

    @Test
    void the_second_is_refused_and_told_by_which_file() {
        write("a", folder);
        write("b", folder);

        assertThat(problems("a")).isEmpty();
        assertThat(problems("b")).contains("b.yaml", "controllerBasePath", "a.yaml");
    }

    @Test
    void it_is_loaded_once_the_first_is_removed_or_takes_another_folder() {
        write("a", folder);
        write("b", folder);
        write("a", folder.resolve("other"));

        assertThat(problems("b")).isEmpty();
        write("a", folder);
        assertThat(problems("a")).contains("b.yaml");
        updates.removed(new ConnectionName("b"));

        assertThat(problems("a")).isEmpty();
    }

    @Test
    void a_connection_may_be_edited_and_renamed() {
        write("a", folder);
        write("a", folder);
        assertThat(problems("a")).isEmpty();

        updates.removed(new ConnectionName("a"));
        write("b", folder);

        assertThat(problems("b")).isEmpty();
    }

    @Test
    void a_link_to_it_and_a_volume_inside_it_are_the_same_folder() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("base")));
        write("a", folder.resolve("base"));
        write("linked", link);
        write("inside", link.resolve("v/pvc-1"));
        write("beside", link.resolve("volumes"));

        assertThat(problems("linked")).contains("a.yaml");
        assertThat(problems("inside")).contains("a.yaml", "one inside the other");
        assertThat(problems("beside")).isEmpty();
    }

    @Test
    void one_path_on_nodes_of_different_places_is_many_folders() {
        ConnectionUpdates onEachNode = updates(true);
        write(onEachNode, "a", folder, "z1");
        write(onEachNode, "b", folder, "z2");
        write(onEachNode, "c", folder, "z1");

        assertThat(problems("b")).isEmpty();
        assertThat(problems("c")).contains("a.yaml");
    }
}
