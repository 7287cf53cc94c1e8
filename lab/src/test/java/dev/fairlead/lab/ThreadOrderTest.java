package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The thread that answers Probe goes before all that carry out calls, whatever has started them. */
class ThreadOrderTest {
    private static final int STEPS = 10;

    @TempDir
    Path folder;

    @Test
    void whoever_carries_out_calls_gives_way_to_the_thread_that_answers_probe() throws Exception {
        DriverFixture fixture = DriverFixture.proxy(folder);
        fixture.connect("c1", Files.createDirectories(folder.resolve("base")));
        try (DriverProcess driver = fixture.start();
                CsiClient client = new CsiClient(fixture.socket())) {
            for (int i = 0; i < 20; i++) {
                client.delete(
                        client.create("pvc-" + i, Map.of("connection", "c1")).getVolumeId());
            }

            int reader = niceness(driver, "csi-io").getFirst();
            assertThat(niceness(driver, "lane-c1")).isNotEmpty().containsOnly(Math.min(19, reader + STEPS));
            assertThat(niceness(driver, "C1 Compiler")).containsOnly(Math.min(19, reader + STEPS));
            assertThat(niceness(driver, "C2 Compiler")).containsOnly(Math.min(19, reader + STEPS));
            assertThat(niceness(driver, "ForkJoinPool")).isNotEmpty().containsOnly(Math.min(19, reader + STEPS));
        }
    }

    private static List<Integer> niceness(DriverProcess driver, String prefix) throws IOException {
        List<Integer> found = new ArrayList<>();
        Path tasks = Path.of("/proc/" + driver.pid() + "/task");
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                String stat = stat(thread);
                if (stat.substring(stat.indexOf('(') + 1).startsWith(prefix)) {
                    found.add(Integer.valueOf(
                            stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]));
                }
            }
        }
        return found;
    }

    private static String stat(Path thread) {
        try {
            return Files.readString(thread.resolve("stat"));
        } catch (IOException _) {
            return ""; // it has ended since it was listed
        }
    }
}
