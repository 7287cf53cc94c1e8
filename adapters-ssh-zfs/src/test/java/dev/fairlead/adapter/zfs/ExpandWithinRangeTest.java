package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.ExpandVolume;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What ExpandVolume makes of a capacity_range where sizes are rounded. */
class ExpandWithinRangeTest {
    private static TransferCrashFixture world(String driverType) {
        return TransferCrashFixture.of(Map.of("east", driverType), 16);
    }

    private static ExpandVolume.Result expand(
            TransferControllerFixture transferControllerFixture, CapacityRange range) {
        return transferControllerFixture.useCases().expandVolume().expand("v:east/pvc-1", range, TestWork.patient());
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000_000_001, Long.MAX_VALUE - 1, Long.MAX_VALUE})
    void a_block_volume_never_exceeds_the_limit(long bytes) {
        TransferCrashFixture transferCrashFixture = world("zfs-local-zvol");
        try (TransferControllerFixture transferControllerFixture = transferCrashFixture.open()) {
            transferControllerFixture.make("pvc-1", "east");
            String before = transferCrashFixture.dump();

            Failing.with(
                    Failure.CapacityOutOfRange.class,
                    () -> expand(transferControllerFixture, CapacityRange.of(bytes, bytes)));

            assertThat(transferCrashFixture.dump()).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @CsvSource({"zfs-local-zvol", "zfs-generic-nfs"})
    void what_no_pool_holds_is_out_of_range(String driverType) {
        TransferCrashFixture transferCrashFixture = world(driverType);
        try (TransferControllerFixture transferControllerFixture = transferCrashFixture.open()) {
            transferControllerFixture.make("pvc-1", "east");
            String before = transferCrashFixture.dump();

            Failing.with(
                    Failure.CapacityOutOfRange.class,
                    () -> expand(transferControllerFixture, CapacityRange.of(Long.MAX_VALUE, 0)));

            assertThat(transferCrashFixture.dump()).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "zfs-local-zvol, 1000013824, 1000013824",
        "zfs-local-zvol, 0, 1000013824",
        "zfs-generic-nfs, 1000000001, 1000000001"
    })
    void the_size_is_within_the_range(String driverType, long limit, long size) {
        try (TransferControllerFixture transferControllerFixture =
                world(driverType).open()) {
            transferControllerFixture.make("pvc-1", "east");

            assertThat(expand(transferControllerFixture, CapacityRange.of(1_000_000_001, limit))
                            .capacity()
                            .bytes())
                    .isEqualTo(size);
        }
    }

    @ParameterizedTest
    @CsvSource({"zfs-local-zvol", "zfs-generic-nfs"})
    void the_largest_of_all_is_read_back(String driverType) {
        try (TransferControllerFixture transferControllerFixture =
                world(driverType).open()) {
            transferControllerFixture.make("pvc-1", "east");

            assertThat(expand(transferControllerFixture, CapacityRange.of(1L << 60, 0))
                            .capacity()
                            .bytes())
                    .isEqualTo(1L << 60);
        }
    }
}
