package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one connection is busy with does not hold up the calls of another one in the same process. */
@Timeout(300)
class NeighbourTest {
    private static final String BUSY = "busy";

    @TempDir
    Path folder;

    /**
     * What keeps the other connection busy: what is there before the driver starts, and what callers do all the time.
     */
    enum Load {
        HUGE_TREES {
            @Override
            void prepare(Path base) throws IOException {
                Path tree = Files.createDirectories(base.resolve("v/tree"));
                Path names = Files.createDirectory(tree.resolve("names"));
                for (int i = 0; i < 20_000; i++) {
                    Path file = Files.createFile(tree.resolve("file-" + i + "-" + "x".repeat(100)));
                    Files.createLink(names.resolve("again-" + i), file);
                }
                Path deep = tree;
                for (int i = 0; i < 1500; i++) {
                    deep = Files.createDirectory(deep.resolve("d"));
                }
            }

            @Override
            void call(CsiClient client, String name) {
                client.deleteSnapshot(client.snapshot(name, "v:busy/tree").getSnapshotId());
            }
        },
        MANY_COPIES {
            @Override
            int callers() {
                return 34;
            }

            @Override
            void prepare(Path base) throws IOException {
                for (int volume = 0; volume < 4; volume++) {
                    Path files = Files.createDirectories(base.resolve("v/many-" + volume));
                    for (int i = 0; i < 2_000; i++) {
                        Files.writeString(files.resolve("file-" + i), "x".repeat(4096));
                    }
                }
            }

            @Override
            void call(CsiClient client, String name) {
                String source = "v:busy/many-" + Math.floorMod(name.hashCode(), 4);
                client.deleteSnapshot(client.snapshot(name, source).getSnapshotId());
            }
        },
        STUCK_TRASH {
            @Override
            void prepare(Path base) throws IOException {
                // Nobody can remove a folder on which something is mounted.
                for (int i = 0; i < 20; i++) {
                    Path mounted = Files.createDirectories(base.resolve(".fairlead/trash/stuck-" + i + "/mounted"));
                    Mounts.tmpfs(mounted);
                }
                Files.createDirectories(base.resolve("v"));
            }

            @Override
            void call(CsiClient client, String name) {
                client.delete(client.create(name, Map.of("connection", BUSY)).getVolumeId());
            }
        },
        BIG_LISTS {
            @Override
            void prepare(Path base) throws IOException {
                for (int i = 0; i < 20_000; i++) {
                    Files.createDirectories(base.resolve("v/pvc-" + i));
                }
            }

            @Override
            void call(CsiClient client, String name) {
                assertThat(client.list(0, "").getEntriesCount()).isPositive();
            }
        };

        int callers() {
            return 2;
        }

        abstract void prepare(Path base) throws IOException;

        abstract void call(CsiClient client, String name);
    }

    @ParameterizedTest
    @EnumSource(Load.class)
    void its_calls_are_answered_as_long_as_the_other_is_busy(Load load) throws Exception {
        if (load == Load.STUCK_TRASH) {
            Needs.root();
        }
        Path base = Files.createDirectories(folder.resolve(BUSY));
        try {
            load.prepare(base);
            DriverFixture fixture = DriverFixture.proxy(folder);
            fixture.connect(BUSY, base);
            QuietConnection.addTo(fixture);
            try (DriverProcess driver = fixture.start();
                    CsiClient client = new CsiClient(fixture.socket())) {
                QuietConnection quiet = new QuietConnection(client);
                try (BusyCallers callers = new BusyCallers(load.callers(), name -> load.call(client, name))) {
                    quiet.assertUnharmedBeside(load.toString());
                    callers.assertAtWork();
                }
                assertThat(driver.isAlive()).isTrue();
            }
        } finally {
            Mounts.unmountBelow(folder);
            Tree.remove(base);
        }
    }

    /** Mounts of a test, all below its folder. */
    private static final class Mounts {
        private Mounts() {}

        static void tmpfs(Path at) throws IOException {
            assertThat(run("mount", "-t", "tmpfs", "fairlead-test", at.toString()))
                    .as("mounted at %s", at)
                    .isTrue();
        }

        static void unmountBelow(Path folder) throws IOException {
            List<String> points = Files.readAllLines(Path.of("/proc/self/mountinfo")).reversed().stream()
                    .map(line -> line.split(" ", -1)[4])
                    .filter(point -> point.startsWith(folder + "/"))
                    .toList();
            for (String point : points) {
                run("umount", point);
            }
        }

        private static boolean run(String... command) throws IOException {
            try {
                Process process =
                        new ProcessBuilder(command).redirectErrorStream(true).start();
                return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
