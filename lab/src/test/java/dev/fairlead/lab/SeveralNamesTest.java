package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import csi.v1.Volume;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One process has several CSI names, each with a socket of its own, over the same connections and locks. */
class SeveralNamesTest {
    private static final Map<String, String> ON_C1 = Map.of("connection", "c1");

    @TempDir
    Path folder;

    @Test
    void what_one_name_makes_the_other_sees_publishes_and_deletes() throws Exception {
        Needs.root();
        DriverFixture fixture = proxy();
        Path staging = Files.createDirectories(folder.resolve("staging"));
        Path target = folder.resolve("pod/mount");
        Files.createDirectories(folder.resolve("pod"));
        try (DriverProcess driver = start(fixture);
                CsiClient first = new CsiClient(fixture.socket());
                CsiClient second = new CsiClient(other())) {
            assertThat(first.name()).isEqualTo("lab.fairlead.dev");
            assertThat(second.name()).isEqualTo("other.fairlead.dev");

            Volume volume = first.create("shared", ON_C1);
            assertThat(second.get(volume.getVolumeId()).getVolume()).isEqualTo(volume);
            assertThat(second.list(0, "").getEntriesList())
                    .extracting(entry -> entry.getVolume().getVolumeId())
                    .containsExactly(volume.getVolumeId());
            second.stage(volume, staging);
            second.publish(volume, staging, target, false);
            Files.writeString(target.resolve("file"), "by the second name");
            first.unpublish(volume, target);
            first.unstage(volume, staging);
            second.delete(volume.getVolumeId());

            assertThat(first.list(0, "").getEntriesList()).isEmpty();
            assertThat(folder.resolve("base/v/shared")).doesNotExist();
            assertThat(driver.isAlive()).isTrue();
        }
    }

    @Test
    void a_volume_that_one_name_works_on_is_locked_for_the_other_and_a_signal_drains_both() throws Exception {
        DriverFixture fixture = proxy();
        DriverProcess driver = start(fixture);
        try (CsiClient first = new CsiClient(fixture.socket());
                CsiClient second = new CsiClient(other())) {
            LongCopy copy = LongCopy.prepare(first, folder.resolve("base"), ON_C1);
            CompletableFuture<Volume> running = copy.begin(first);

            assertAborted("long-copy", () -> copy.ask(second));
            assertAborted(copy.sourceId(), () -> second.delete(copy.sourceId()));
            driver.signal("TERM");
            awaitGone(fixture.socket());
            awaitGone(other());
            LongCopy.awaitRefusal(second);
            boolean stillRunning = !running.isDone();
            Volume made = running.get(60, TimeUnit.SECONDS);

            assertThat(stillRunning).as("the copy outlived the refusal").isTrue();
            assertThat(LongCopy.isWhole(made)).isTrue();
            assertThat(driver.awaitExit()).isZero();
        } finally {
            driver.kill();
        }
    }

    @Test
    void each_name_needs_a_socket_of_its_own() throws Exception {
        DriverFixture fixture = proxy();

        assertThatThrownBy(() -> fixture.start("--csi-name=other.fairlead.dev"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--csi-name stands 2 times and --server-socket 1")
                .hasMessageContaining("expected: as many of the one as of the other");
        assertThatThrownBy(() -> fixture.start("--csi-name=other.fairlead.dev", "--server-socket=" + fixture.socket()))
                .hasMessageContaining("the same path stands twice");
        assertThat(fixture.socket()).doesNotExist();
    }

    private DriverFixture proxy() throws Exception {
        DriverFixture fixture = DriverFixture.proxy(folder);
        fixture.connect("c1", Files.createDirectories(folder.resolve("base")));
        return fixture;
    }

    private DriverProcess start(DriverFixture fixture) throws Exception {
        return fixture.start("--csi-name=other.fairlead.dev", "--server-socket=" + other());
    }

    private Path other() {
        return folder.resolve("other.sock");
    }

    private static void assertAborted(String about, ThrowingCallable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
        assertThat(refusal.getMessage()).contains(about, "CreateVolume long-copy");
    }

    private static void awaitGone(Path socket) throws InterruptedException {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (Files.exists(socket)) {
            assertThat(System.nanoTime()).as("waiting for " + socket + " to go").isLessThan(giveUp);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
