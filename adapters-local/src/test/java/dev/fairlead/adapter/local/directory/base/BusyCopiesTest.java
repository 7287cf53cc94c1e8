package dev.fairlead.adapter.local.directory.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.DirectoryFixture;
import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.BackendSettings;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.BackendSettingsBuilder;
import dev.fairlead.testkit.fake.InMemoryExporter;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A nightly backup takes a snapshot of every volume at once, by copies that last for hours. */
@Timeout(60)
class BusyCopiesTest {
    private static final int VOLUMES = 34;
    private static final int AT_ONCE = 4;
    private static final ConnectionName NODE = new ConnectionName("node");

    @TempDir(factory = InMemory.class)
    Path folder = Path.of("/nowhere");

    private final SteppingClock clock = SteppingClock.standing();
    private final Connections connections =
            new Connections(Thread.ofPlatform().daemon().factory(), clock, new Telemetry() {});
    private final ControllerUseCases controller = UseCases.controller(
            connections,
            new HandleCodec.Proxied(),
            new KeyedLocks(clock),
            Optional.empty(),
            new NodeIdCodec(List.of(), List.of()),
            new Telemetry() {},
            Whereabouts.NONE);
    private final CountDownLatch end = new CountDownLatch(1);
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final List<Thread> callers = new ArrayList<>();

    @BeforeEach
    void copying() throws InterruptedException {
        VolumeStore store = new DirectoryFixture(folder.resolve("base")).open(NODE.value(), Map.of());
        connections.install(new Backend(
                NODE, "local-hostpath", store, new InMemoryExporter(InMemoryStorage.named("node")), settings()));
        for (int i = 0; i < VOLUMES; i++) {
            create("pvc-" + i);
        }
        CountDownLatch copying = new CountDownLatch(AT_ONCE);
        TestWork slow = TestWork.patient().cancelledWhen(() -> {
            copying.countDown();
            return hangs();
        });
        for (int i = 0; i < VOLUMES; i++) {
            String volume = "v:node/pvc-" + i;
            String name = "snap-" + i;
            callers.add(Thread.ofVirtual().start(() -> answers.add(take(name, volume, slow))));
        }
        assertThat(copying.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private boolean hangs() {
        try {
            return !end.await(50, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static BackendSettings settings() {
        return new BackendSettingsBuilder()
                .concurrency(32)
                .patience(Duration.ofSeconds(5))
                .build();
    }

    private void create(String name) {
        controller
                .createVolume()
                .create(
                        new CreateVolume.Command(
                                new CsiName(name),
                                CapacityRange.ANY,
                                List.of(TestVolumes.MOUNT),
                                Map.of("connection", "node"),
                                Source.NONE,
                                AccessibilityRequirement.NONE),
                        TestWork.patient());
    }

    private String take(String name, String volume, TestWork work) {
        try {
            return controller
                    .takeSnapshot()
                    .take(new CsiName(name), volume, Map.of(), work)
                    .handle();
        } catch (StorageException e) {
            return e.failure().message();
        }
    }

    @AfterEach
    void close() {
        end.countDown();
        connections.close();
    }

    @Test
    void all_other_calls_are_answered_and_the_copies_beyond_the_bound_are_told_what_runs() throws Exception {
        create("pvc-new");
        controller.deleteVolume().delete("v:node/pvc-new", TestWork.patient());
        int listed = controller
                .listVolumes()
                .list(Optional.empty(), 0, TestWork.patient())
                .items()
                .size();

        List<String> refused = new ArrayList<>();
        for (int i = 0; i < VOLUMES - AT_ONCE; i++) {
            refused.add(String.valueOf(answers.poll(10, TimeUnit.SECONDS)));
        }

        assertThat(listed).isEqualTo(VOLUMES);
        assertThat(refused)
                .allSatisfy(answer -> assertThat(answer)
                        .contains("is not available", "4 copies are under way on it (snapshot pvc-", "ask again"));
        assertThat(answers).isEmpty();
        assertThat(DirectoryFixture.names(new BaseFolderLayout(folder.resolve("base")).partial()))
                .hasSizeLessThanOrEqualTo(AT_ONCE);
    }

    @Test
    void those_that_ask_again_have_their_turn_once_others_have_ended() throws Exception {
        end.countDown();
        for (Thread caller : callers) {
            caller.join(Duration.ofSeconds(20));
        }

        for (int i = 0; i < VOLUMES; i++) {
            String taken = take("snap-" + i, "v:node/pvc-" + i, TestWork.patient());

            assertThat(taken).isEqualTo("s:node/pvc-" + i + "-snap-" + i);
        }
    }
}
