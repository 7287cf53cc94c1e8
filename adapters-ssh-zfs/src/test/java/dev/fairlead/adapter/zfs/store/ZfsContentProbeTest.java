package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of the sizes that {@code zfs get} prints of a block volume. */
class ZfsContentProbeTest {
    private static final NativeId PVC = new NativeId("pvc-1");

    private final ZfsFixture fixture =
            new ZfsFixture(VolumeMedium.Kind.BLOCK_DEVICE, Map.of("datasetParentName", "tank/v"));
    private final VolumeStore store = fixture.open();

    private HostFinding probe() {
        return store.contentProbe().orElseThrow().probe(PVC, TestWork.patient());
    }

    private void make() {
        var _ = store.create(store.plan(TestVolumes.empty("pvc-1"), PVC), TestWork.patient());
    }

    /** Sizes of volumes that nobody has written to, by the smallest allocation of their pools. */
    @ParameterizedTest
    @CsvSource({
        "512 bytes, 6144, 16384, BLANK",
        "512 bytes and small blocks, 6144, 512, UNKNOWN",
        "4 KiB, 28672, 16384, UNKNOWN",
        "4 KiB and large blocks, 28672, 131072, BLANK",
        "8 KiB, 53248, 16384, UNKNOWN",
        "64 KiB, 348160, 16384, UNKNOWN",
        "128 KiB, 675840, 16384, UNKNOWN"
    })
    void a_volume_without_content_is_never_called_written(
            String allocation, String referenced, String blockSize, HostFinding expected) {
        make();
        fixture.pool().lie("logicalreferenced", referenced);
        fixture.pool().lie("volblocksize", blockSize);

        assertThat(probe()).as(allocation).isEqualTo(expected);
    }

    @Test
    void more_than_zfs_keeps_for_itself_is_content() {
        make();

        fixture.pool().lie("logicalreferenced", "1048576");
        assertThat(probe()).isEqualTo(HostFinding.UNKNOWN);
        fixture.pool().lie("logicalreferenced", "1048577");
        assertThat(probe()).isEqualTo(HostFinding.WRITTEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "none", "-1", "1.5M", "99999999999999999999", "<html>"})
    void what_is_no_number_of_bytes_is_no_finding(String printed) {
        make();
        fixture.pool().lie("logicalreferenced", printed);

        Failing.with(Failure.Unintelligible.class, () -> {
            var _ = probe();
        });
    }

    @Test
    void it_costs_one_round_trip() {
        make();
        int before = fixture.pool().roundTrips();

        assertThat(probe()).isEqualTo(HostFinding.UNKNOWN);

        assertThat(fixture.pool().roundTrips() - before).isEqualTo(1);
    }

    @Test
    void filesystems_have_nothing_to_be_probed() {
        VolumeStore filesystems =
                new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/v")).open();

        assertThat(filesystems.contentProbe()).isEmpty();
    }
}
