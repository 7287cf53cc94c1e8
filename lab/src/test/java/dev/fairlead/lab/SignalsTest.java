package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.Volume;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first signal lets the calls that run come to their end, the second one ends the process at once. */
class SignalsTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void a_call_that_runs_ends_well_while_new_ones_are_refused(String signal) throws Exception {
        DriverFixture fixture = DriverFixture.hostpath(folder);
        DriverProcess driver = fixture.start();
        try (CsiClient client = new CsiClient(fixture.socket());
                CsiClient late = new CsiClient(fixture.socket())) {
            LongCopy copy = LongCopy.prepare(client, fixture.base(), Map.of());
            assertThat(late.probe()).isTrue();
            CompletableFuture<Volume> running = copy.begin(client);

            driver.signal(signal);
            awaitNoSocket(fixture);
            LongCopy.awaitRefusal(late);
            boolean stillRunning = !running.isDone();
            Volume made = running.get(60, TimeUnit.SECONDS);
            int code = driver.awaitExit();

            assertThat(stillRunning).as("the copy outlived the refusal").isTrue();
            assertThat(LongCopy.isWhole(made)).isTrue();
            assertThat(code).isZero();
            assertThat(fixture.socket()).doesNotExist();
            assertThat(driver.output()).contains("ending: calls that run may finish", "allCallsEnded");
        } finally {
            driver.kill();
        }
    }

    @Test
    void with_nothing_to_wait_for_it_ends_at_once() throws Exception {
        DriverFixture fixture = DriverFixture.hostpath(folder);
        DriverProcess driver = fixture.start();

        long begin = System.nanoTime();
        driver.signal("TERM");
        int code = driver.awaitExit();

        assertThat(code).isZero();
        assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(10));
        assertThat(fixture.socket()).doesNotExist();
    }

    @Test
    void a_second_signal_ends_it_at_once_and_the_call_can_be_repeated() throws Exception {
        DriverFixture fixture = DriverFixture.hostpath(folder);
        DriverProcess driver = fixture.start();
        LongCopy copy;
        try (CsiClient client = new CsiClient(fixture.socket())) {
            copy = LongCopy.prepare(client, fixture.base(), Map.of());
            CompletableFuture<Volume> running = copy.begin(client);
            driver.signal("TERM");
            awaitNoSocket(fixture);
            driver.signal("TERM");

            int code = driver.awaitExit();

            assertThat(code).isEqualTo(128 + 15);
            assertThat(running).failsWithin(10, TimeUnit.SECONDS);
            assertThat(fixture.base().resolve("v/long-copy")).doesNotExist();
        }
        try (DriverProcess next = fixture.start();
                CsiClient client = new CsiClient(fixture.socket())) {
            assertThat(LongCopy.isWhole(copy.ask(client))).isTrue();
            assertThat(next.isAlive()).isTrue();
        }
    }

    private static void awaitNoSocket(DriverFixture fixture) throws InterruptedException {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (Files.exists(fixture.socket())) {
            assertThat(System.nanoTime()).as("waiting for the socket to go").isLessThan(giveUp);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
