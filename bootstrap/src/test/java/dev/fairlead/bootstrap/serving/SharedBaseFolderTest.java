package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.ConnectionUse;
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
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
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
    private final Connections restarted =
            new Connections(Thread.ofPlatform().factory(), InstantSource.system(), Telemetry.NONE);
    private final List<Thread> threads = new ArrayList<>();
    private final ConnectionUpdates updates = updates(connections, false);

    @AfterEach
    void close() {
        connections.close();
        restarted.close();
    }

    private ConnectionUpdates updates(Connections connections, boolean perNode) {
        FactoryComponent graph = DaggerFactoryComponent.create();
        var locality = new Locality(TopologyPrefix.DEFAULT, perNode, Optional.of("n1"));
        var assembler =
                new BackendAssembler(DriverTypes.all(), graph.stores(), graph.exporters(), locality, "test", true);
        return new ConnectionUpdates(
                assembler,
                Defaults.NONE,
                connections,
                new HostPaths(List.of()),
                new ConnectionEvents(Announcer.NONE),
                BaseFolders.bounded(this::thread, perNode));
    }

    private Thread thread(Runnable task) {
        Thread thread = Thread.ofPlatform().daemon().unstarted(task);
        threads.add(thread);
        return thread;
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
        return problems(connections, name);
    }

    private static String problems(Connections connections, String name) {
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

    /** It keeps its folder as long as the one that its file names now is another's. */
    @Test
    void one_is_loaded_once_a_later_one_that_waited_too_lets_go_of_its_folder() {
        write("b", folder.resolve("b"));
        write("c", folder.resolve("c"));
        write("a", folder.resolve("b"));
        write("b", folder.resolve("c"));
        assertThat(problems("a")).contains("b.yaml");
        assertThat(problems("b")).contains("c.yaml");

        updates.removed(new ConnectionName("c"));

        assertThat(problems("b")).isEmpty();
        assertThat(problems("a")).isEmpty();
    }

    @Test
    void of_several_that_wait_none_is_forgotten() {
        List<String> names = List.of("a", "b", "c", "d", "e");
        write("first", folder);
        names.forEach(name -> write(name, folder));
        write("another", folder.resolve("another"));
        updates.removed(new ConnectionName("first"));

        for (String name : names) {
            assertThat(problems(name)).as(name).isEmpty();
            updates.removed(new ConnectionName(name));
        }
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
        ConnectionUpdates onEachNode = updates(connections, true);
        write(onEachNode, "a", folder, "z1");
        write(onEachNode, "b", folder, "z2");
        write(onEachNode, "c", folder, "z1");

        assertThat(problems("b")).isEmpty();
        assertThat(problems("c")).contains("a.yaml");
    }

    /** Lays the base out as the connection's first volume does. */
    private void makeVolume(String connection) {
        try (ConnectionUse use = connections.use(new ConnectionName(connection))) {
            var store = use.backend().store();
            store.create(store.plan(TestVolumes.empty("pvc-1"), new NativeId("pvc-1")), TestWork.patient());
        }
    }

    @Test
    void after_a_restart_the_connection_that_it_is_marked_for_has_it_whatever_file_sorts_first() {
        write("b", folder);
        makeVolume("b");
        ConnectionUpdates anew = updates(restarted, false);

        write(anew, "a", folder, "a");
        write(anew, "b", folder, "b");
        write(anew, "c", folder, "c");

        assertThat(problems(restarted, "a")).contains("a.yaml", "is the base folder of b.yaml too");
        assertThat(problems(restarted, "b")).isEmpty();
        assertThat(problems(restarted, "c")).contains("b.yaml");
        assertThatThrownBy(() -> restarted.use(new ConnectionName("a"))).hasMessageContaining("b.yaml");
        anew.removed(new ConnectionName("b"));
        assertThat(problems(restarted, "a")).isEmpty();
    }

    @Test
    void one_that_is_marked_is_not_shut_out_by_a_stray_one_inside_its_volumes() {
        write("b", folder);
        makeVolume("b");
        ConnectionUpdates anew = updates(restarted, false);

        write(anew, "a", folder.resolve("v/pvc-1"), "a");
        write(anew, "b", folder, "b");

        assertThat(problems(restarted, "a")).contains("b.yaml", "one inside the other");
        assertThat(problems(restarted, "b")).isEmpty();
    }

    @Test
    void it_has_it_too_once_a_base_comes_back_that_was_away_at_the_restart() throws Exception {
        Path base = Files.createDirectory(folder.resolve("base"));
        write("b", base);
        makeVolume("b");
        Path away = Files.move(base, folder.resolve("away"));
        Files.createDirectory(base);
        ConnectionUpdates anew = updates(restarted, false);
        write(anew, "a", base, "a");
        write(anew, "b", base, "b");
        lookTwice(anew);
        String before = problems(restarted, "b");
        Files.delete(base);
        Files.move(away, base);

        lookTwice(anew);

        assertThat(before).contains("a.yaml");
        assertThat(problems(restarted, "a")).contains("b.yaml");
        assertThat(problems(restarted, "b")).isEmpty();
    }

    @Test
    void a_folder_is_not_asked_any_more_for_a_file_that_has_been_broken_since() throws InterruptedException {
        write("a", folder);
        write("b", folder);
        lookTwice(updates);
        updates.changed(new ConnectionName("b"), "driver: nothing".getBytes(StandardCharsets.UTF_8));
        threads.clear();

        lookTwice(updates);

        assertThat(threads).isEmpty();
    }

    /** The first look begins to ask the folders, and the second has their answers. */
    private void lookTwice(ConnectionUpdates anew) throws InterruptedException {
        for (int look = 0; look < 2; look++) {
            anew.looked();
            for (Thread thread : List.copyOf(threads)) {
                thread.join();
            }
        }
    }
}
