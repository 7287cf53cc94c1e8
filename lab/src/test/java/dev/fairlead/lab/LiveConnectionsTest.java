package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A connection is edited, broken, mended, removed and added again while calls run on it. */
class LiveConnectionsTest {
    private static final int CALLERS = 4;

    @TempDir
    Path folder;

    private final Queue<StatusRuntimeException> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger successes = new AtomicInteger();
    private final AtomicBoolean stop = new AtomicBoolean();

    @Test
    void no_call_fails_but_while_the_connection_is_gone() throws Exception {
        DriverFixture fixture = DriverFixture.proxy(folder);
        Path base = Files.createDirectories(folder.resolve("base"));
        fixture.connect("c1", base);
        try (DriverProcess driver = fixture.start();
                CsiClient client = new CsiClient(fixture.socket())) {
            await("the connection is loaded", () -> works(client));
            failures.clear();
            List<Thread> callers = callers(client);

            edit(fixture, base, "edited");
            awaitCalls("calls after the edit");
            fixture.write("c1", "driver: [this is: not a driver");
            await("the break is seen", () -> said(driver, "connection not loaded"));
            awaitCalls("calls after the break");
            fixture.connect("c1", base);
            awaitCalls("calls after the mending");
            assertThat(failures).as("before the removal").isEmpty();
            Files.delete(folder.resolve("connections/c1.yaml"));
            await("the removal is seen", () -> !failures.isEmpty());
            fixture.connect("c1", base);
            awaitCalls("calls after the return");
            stop.set(true);
            for (Thread caller : callers) {
                caller.join();
            }

            assertThat(failures).isNotEmpty().allSatisfy(failure -> {
                assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                assertThat(failure.getMessage()).contains("FL-CON-001").contains("c1");
            });
            assertThat(client.probe()).isTrue();
            assertThat(client.list(0, "").getEntriesList())
                    .allSatisfy(
                            entry -> assertThat(entry.getVolume().getVolumeId()).startsWith("v:c1/live-"));
        }
    }

    private List<Thread> callers(CsiClient client) {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            callers.add(Thread.ofVirtual().start(() -> {
                for (int n = 0; !stop.get(); n++) {
                    call(client, "live-" + caller + "-" + n);
                }
            }));
        }
        return callers;
    }

    private void call(CsiClient client, String name) {
        try {
            client.delete(client.create(name, Map.of("connection", "c1")).getVolumeId());
            successes.incrementAndGet();
        } catch (StatusRuntimeException e) {
            failures.add(e);
        }
    }

    private boolean works(CsiClient client) {
        int before = successes.get();
        call(client, "live-probe");
        return successes.get() > before;
    }

    /** Waits until more calls have succeeded than can have been under way when this was called. */
    private void awaitCalls(String what) {
        int before = successes.get();
        await(what, () -> successes.get() > before + CALLERS);
    }

    private static void edit(DriverFixture fixture, Path base, String label) throws Exception {
        fixture.write("c1", """
                driver: local-hostpath
                local-hostpath:
                  shareBasePath: %s
                  controllerBasePath: %s
                fairlead:
                  labels:
                    tier: %s
                """.formatted(base, base, label));
    }

    private static boolean said(DriverProcess driver, String word) {
        try {
            return driver.output().lines().anyMatch(line -> line.contains(word) && line.contains("c1"));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting: " + what).isLessThan(giveUp);
            pause();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
