package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often each RPC of an NFS connection goes to the storage host, where nothing is in its way. */
class RpcRoundTripsTest {
    private final ZfsCrashFixture zfsCrashFixture = ZfsCrashFixture.shared(
            "nfs", "sharenfs", Map.of("datasetEnableQuotas", true, "datasetPermissionsMode", "0777"));
    private final OneConnectionFixture oneConnectionFixture = zfsCrashFixture.open();
    private final ControllerUseCases rpcs = oneConnectionFixture.useCases();

    @BeforeEach
    void a_volume_is_there() {
        oneConnectionFixture.create("pvc-0"); // the first of a connection finds out where the parent is mounted
        oneConnectionFixture.create("pvc-1");
    }

    @AfterEach
    void close() {
        oneConnectionFixture.close();
    }

    private void snapshot(String name) {
        rpcs.takeSnapshot().take(new CsiName(name), "v:nas/pvc-1", Map.of(), TestWork.patient());
    }

    private int roundTripsOf(Runnable rpc) {
        int before = zfsCrashFixture.pool().roundTrips();
        rpc.run();
        return zfsCrashFixture.pool().roundTrips() - before;
    }

    @Test
    void a_volume_is_listed_in_one_and_deleted_in_three() {
        assertThat(roundTripsOf(() -> rpcs.listVolumes().list(Optional.empty(), 0, TestWork.patient())))
                .isEqualTo(1);
        assertThat(roundTripsOf(() -> rpcs.deleteVolume().delete("v:nas/pvc-1", TestWork.patient())))
                .as("a look, the share, the dataset")
                .isEqualTo(3);
    }

    @Test
    void a_snapshot_is_taken_in_one_and_deleted_in_two() {
        assertThat(roundTripsOf(() -> snapshot("snap-1"))).isEqualTo(1);
        assertThat(roundTripsOf(() -> snapshot("snap-2"))).isEqualTo(1);
        assertThat(roundTripsOf(() -> rpcs.deleteSnapshot().delete("s:nas/pvc-1@snap-1", TestWork.patient())))
                .isEqualTo(2);
    }
}
