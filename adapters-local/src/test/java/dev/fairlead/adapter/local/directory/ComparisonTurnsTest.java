package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A copy that democratic-csi made is compared with its source, which takes as long as a copy. */
@Timeout(60)
class ComparisonTurnsTest {
    private static final int AT_ONCE = 4;

    @TempDir(factory = InMemory.class)
    Path base = Path.of("/nowhere");

    private final CountDownLatch copying = new CountDownLatch(AT_ONCE);
    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void a_comparison_has_its_turn_as_a_copy_has() throws Exception {
        Files.createDirectories(base.resolve("v/pvc-a"));
        Files.createDirectories(base.resolve("v/pvc-copy"));
        VolumeStore store = new DirectoryFixture(base).open();
        TestWork slow = TestWork.patient().cancelledWhen(this::hangs);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < AT_ONCE; i++) {
                String name = "snap-" + i;
                StoredVolume source = made(store, "pvc-source-" + i);
                callers.execute(
                        () -> store.snapshots().orElseThrow().take(TestVolumes.snapshot(name, source), 100, slow));
            }
            assertThat(copying.await(20, TimeUnit.SECONDS)).isTrue();

            Failing.with(Failure.BackendUnavailable.class, () -> compared(store));
            end.countDown();
        }

        assertThat(compared(store).id().value()).isEqualTo("pvc-copy");
    }

    private static StoredVolume made(VolumeStore store, String name) {
        return store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                .volume();
    }

    private static StoredVolume compared(VolumeStore store) {
        var plan = store.plan(TestVolumes.fromVolume("pvc-copy", new NativeId("pvc-a")), new NativeId("pvc-copy"));
        return store.create(plan, TestWork.patient()).volume();
    }

    private boolean hangs() {
        copying.countDown();
        try {
            return !end.await(50, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
