package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.bootstrap.check.FolderCheck;
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

/** Pools of two connections that lie in each other, or in a volume. */
class PoolsInPoolsTest {
    @TempDir
    Path folder = Path.of("/nowhere");

    private final Connections connections =
            new Connections(Thread.ofPlatform().factory(), InstantSource.system(), Telemetry.NONE);
    private final Connections restarted =
            new Connections(Thread.ofPlatform().factory(), InstantSource.system(), Telemetry.NONE);
    private final List<Thread> threads = new ArrayList<>();
    private final ConnectionUpdates updates = updates(connections);

    @AfterEach
    void close() {
        connections.close();
        restarted.close();
    }

    private static BackendAssembler assembler() {
        FactoryComponent graph = DaggerFactoryComponent.create();
        var locality = new Locality(TopologyPrefix.DEFAULT, false, Optional.of("n1"));
        return new BackendAssembler(DriverTypes.all(), graph.stores(), graph.exporters(), locality, "test", true);
    }

    private ConnectionUpdates updates(Connections connections) {
        return new ConnectionUpdates(
                assembler(),
                Defaults.NONE,
                connections,
                new HostPaths(List.of()),
                new ConnectionEvents(Announcer.NONE),
                BaseFolders.bounded(this::thread, false));
    }

    private Thread thread(Runnable task) {
        Thread thread = Thread.ofPlatform().daemon().unstarted(task);
        threads.add(thread);
        return thread;
    }

    private String problems(String name) {
        return problems(connections, name);
    }

    private static String problems(Connections connections, String name) {
        return connections.problems().getOrDefault(new ConnectionName(name), List.<Problem>of()).stream()
                .map(Problem::toString)
                .reduce("", String::concat);
    }

    private static String fileOf(Path... pools) {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < pools.length; i++) {
            list.append("{name: p%d, path: %s, kind: directory}, ".formatted(i, pools[i]));
        }
        return """
                driver: local-pool
                local-pool: {pools: [%s]}
                proxy: {perDriver: {topology: [{requirements: {zone: z}}]}}
                fairlead: {baseFolder: create}
                """.formatted(list);
    }

    private static void writePools(ConnectionUpdates updates, String name, Path... pools) {
        updates.changed(new ConnectionName(name), fileOf(pools).getBytes(StandardCharsets.UTF_8));
    }

    private void writePool(String name, Path pool) {
        writePools(updates, name, pool);
    }

    private static void mark(Path pool) throws IOException {
        Files.createFile(Files.createDirectories(pool.resolve(".fairlead")).resolve("owner"));
    }

    private static boolean isInForce(Connections connections, String name) {
        try (ConnectionUse use = connections.use(new ConnectionName(name))) {
            return use.backend().driverType().equals("local-pool");
        }
    }

    @Test
    void a_connection_of_new_pools_is_refused_if_one_lies_in_that_of_another_or_around_it() throws IOException {
        Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("disk")));
        writePool("a", folder.resolve("disk/a"));
        writePool("same", folder.resolve("link/a"));
        writePool("below", folder.resolve("link/a/below"));
        writePool("above", folder.resolve("disk"));
        writePool("beside", folder.resolve("disk/ab"));

        assertThat(problems("a")).isEmpty();
        assertThat(problems("same")).contains("pools", "is the base folder of a.yaml too");
        assertThat(problems("below")).contains("pools", "which lies in that of a.yaml");
        assertThat(problems("above")).contains("in which lies that of a.yaml");
        assertThat(problems("beside")).isEmpty();
        updates.removed(new ConnectionName("a"));
        assertThat(problems("below")).isEmpty();
    }

    /** Volumes of another program need no mark. */
    @Test
    void a_connection_whose_pool_holds_anything_is_served() throws IOException {
        Path outer = folder.resolve("hpvolumes");
        Path inner = outer.resolve("ssd");
        mark(inner);
        Files.createDirectories(outer.resolve("pvc-0d2b6b5e-6d59-4c4e-9f0e-5f3c8e2b7a01"));
        writePool("b", inner);
        writePool("z", outer);

        assertThat(problems("z")).isEmpty();
        assertThat(isInForce(connections, "z")).isTrue();
        assertThat(isInForce(connections, "b")).isTrue();
    }

    /** A disk of its own may be mounted in the folder of another pool. */
    @Test
    void of_pools_in_each_other_that_have_marks_both_are_served_whatever_file_sorts_first() throws IOException {
        Path outer = folder.resolve("pools");
        Path inner = folder.resolve("pools/ssd");
        mark(outer);
        mark(inner);
        writePool("a", outer);
        writePools(updates, "b", folder.resolve("new"), inner);
        ConnectionUpdates anew = updates(restarted);
        writePools(anew, "a", inner);
        writePools(anew, "b", folder.resolve("new"), outer);

        for (Connections each : List.of(connections, restarted)) {
            assertThat(problems(each, "a") + problems(each, "b")).isEmpty();
            assertThat(isInForce(each, "a")).isTrue();
            assertThat(isInForce(each, "b")).isTrue();
        }
    }

    @Test
    void the_check_tells_of_pools_in_each_other_as_an_error_of_new_ones_only() throws IOException {
        Path outer = folder.resolve("pools");
        Path inner = folder.resolve("pools/ssd");
        mark(outer);
        Path files = Files.createDirectory(folder.resolve("files"));
        Files.writeString(files.resolve("a.yaml"), fileOf(outer));
        Files.writeString(files.resolve("b.yaml"), fileOf(inner));
        FolderCheck check = new FolderCheck(assembler(), Defaults.NONE);
        String text = "has a pool at " + inner + ", which lies in that of a.yaml at " + outer;

        assertThat(check.folder(files).all())
                .anyMatch(problem -> problem.isError() && problem.what().equals(text));
        mark(inner);
        assertThat(check.folder(files).all())
                .anyMatch(problem -> problem.what().equals(text))
                .noneMatch(Problem::isError);
    }

    @Test
    void a_disk_that_was_away_lets_its_pools_be_served_again_beside_those_around_it() throws Exception {
        Path outer = folder.resolve("pools");
        Path inner = folder.resolve("pools/ssd");
        mark(outer);
        mark(inner);
        Path away = Files.move(inner, folder.resolve("away"));
        writePool("a", outer);
        writePool("b", inner);
        String before = problems("b");
        lookTwice(updates);
        assertThat(problems("b")).as("it is away").isEqualTo(before).contains("a.yaml");
        Files.move(away, inner);

        lookTwice(updates);

        assertThat(problems("a") + problems("b")).isEmpty();
        assertThat(isInForce(connections, "a")).isTrue();
        assertThat(isInForce(connections, "b")).isTrue();
    }

    @Test
    void a_new_pool_in_a_volume_of_a_pool_that_is_no_connections_is_refused() throws IOException {
        Path owner = Files.createDirectories(folder.resolve("pool/.fairlead")).resolve("owner");
        Files.createFile(owner);
        writePool("a", folder.resolve("pool/v/pvc-1/pool"));

        assertThat(problems("a")).contains("FL-CON-011", "a pool or base folder at " + folder.resolve("pool"));
        Files.delete(owner);
        writePool("a", folder.resolve("pool/v/pvc-1/pool"));
        assertThat(problems("a")).isEmpty();
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
