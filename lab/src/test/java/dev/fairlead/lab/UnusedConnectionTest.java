package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process lets go of a connection that no call uses, and the next call does not notice. */
class UnusedConnectionTest {
    @TempDir
    Path folder;

    @Test
    void it_is_let_go_of_and_opened_again() throws Exception {
        DriverFixture fixture = DriverFixture.proxy(folder, "cacheTimeoutMinutes: 0");
        fixture.connect("c1", Files.createDirectories(folder.resolve("base")));
        try (DriverProcess driver = fixture.start("--log-level=debug");
                CsiClient client = new CsiClient(fixture.socket())) {
            String id = client.create("kept", Map.of("connection", "c1")).getVolumeId();
            awaitSaid(driver, "connection let go of");
            assertThat(driver.output()).doesNotContain("connection opened again");

            assertThat(client.list(0, "").getEntriesList()).hasSize(1);
            client.delete(id);

            assertThat(driver.output()).containsOnlyOnce("connection opened again");
            assertThat(folder.resolve("base/v/kept")).doesNotExist();
        }
    }

    private static void awaitSaid(DriverProcess driver, String words) throws Exception {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!driver.output().contains(words)) {
            assertThat(System.nanoTime()).as("waiting for: " + words).isLessThan(giveUp);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
