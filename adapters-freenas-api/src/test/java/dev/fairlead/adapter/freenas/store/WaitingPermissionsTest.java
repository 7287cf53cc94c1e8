package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Creations that wait for the box to set permissions, and those that took too long. */
class WaitingPermissionsTest {
    private static final Map<String, Object> MODE = Map.of("datasetPermissionsMode", "0770");

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static void make(VolumeStore store, String name) {
        store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient());
    }

    /** Opens a store that has two threads, of which one may wait. */
    private static VolumeStore narrow(SharedClient<TruenasApi> client) {
        return new FreenasVolumeStore(
                client,
                FreenasFixture.settings(VolumeMedium.Kind.FILESYSTEM, MODE, Map.of()),
                new LateCalls(InstantSource.system()),
                InstantSource.system(),
                new ConnectionScope(new ConnectionName("nas"), "freenas-api-nfs", Optional.empty(), "test", false, 2));
    }

    @Test
    void a_creation_without_a_turn_to_wait_makes_nothing_and_one_afterwards_has_it() {
        try (SimulatedBox box = new SimulatedBox(Profile.V25_10, folder)) {
            var same = new AtomicReference<VolumeStore>();
            same.set(narrow(box.interrupted(
                    "filesystem.setperm",
                    () -> Failing.with(Failure.BackendUnavailable.class, () -> make(same.get(), "pvc-b")))));

            make(same.get(), "pvc-a");
            assertThat(box.left()).containsExactly(SimulatedBox.PARENT + "/pvc-a");
            make(same.get(), "pvc-b");

            assertThat(box.left()).hasSize(2);
        }
    }

    @Test
    void creations_of_one_volume_that_took_too_long_leave_one_note() {
        try (SimulatedBox box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, Map.of());
            box.fault(Fault.at("pool.dataset.create", new Fault.CutBefore()).times(3));
            for (int i = 0; i < 3; i++) {
                Failing.with(Failure.OutcomeUnknown.class, () -> make(store, "pvc-a"));
            }

            assertThat(box.rows("dataset").toString().split("dev.fairlead:call\\."))
                    .hasSize(2);
            make(store, "pvc-a");
        }
    }
}
