package dev.fairlead.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.benchmarks.measured.Results;
import dev.fairlead.lab.CsiClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioTest {
    /** More than any table has. */
    private static final int CALLERS = 40;

    @TempDir
    Path folder = Path.of("/nowhere");

    @Test
    void each_of_any_number_of_callers_has_a_staged_volume_of_its_own() throws Exception {
        Path socket = folder.resolve("csi.sock");
        Thread _ = Thread.ofPlatform().daemon().start(() -> serve(socket));
        while (!Files.exists(socket)) {
            Thread.sleep(5);
        }
        var subject = new Subject("null server", List.of(), Map.of(), socket, List.of(Map.of()));
        Results results = new Results();

        try (CsiClient client = new CsiClient(socket)) {
            new Scenario(subject, client, folder, 600).round(results, true, CALLERS);
        }

        assertThat(results.p50("null server", "NodePublishVolume", CALLERS)).isPresent();
    }

    private static void serve(Path socket) {
        try {
            NullServer.main(new String[] {socket.toString()});
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
