package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a volume that is made of another connection's content has of the properties of its own connection. */
class TransferredPropertiesTest extends TransferFixture {
    private static final Map<String, String> WANTED = Map.of(
            "acltype", "posix",
            "aclmode", "passthrough",
            "aclinherit", "passthrough-x",
            "xattr", "sa",
            "atime", "off",
            "compression", "gzip-6",
            "recordsize", "1M",
            "quota", "8G",
            "reservation", "3M",
            "refreservation", "2M");

    private final TransferCrashFixture world = TransferCrashFixture.with(
            "zfs-generic-nfs",
            Map.of("datasetProperties", WANTED, "datasetEnableQuotas", true, "datasetPermissionsMode", "0777"));

    @Override
    TransferCrashFixture world() {
        return world;
    }

    @Test
    void it_has_all_of_them() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);

            restore(fixture, SNAPSHOT);

            assertThat(west().own(TO))
                    .containsEntry("acltype", "posix")
                    .containsEntry("aclmode", "passthrough")
                    .containsEntry("aclinherit", "passthrough-x")
                    .containsEntry("xattr", "sa")
                    .containsEntry("atime", "off")
                    .containsEntry("compression", "gzip")
                    .containsEntry("recordsize", "1048576")
                    .containsEntry("quota", "8589934592")
                    .containsEntry("reservation", "3145728")
                    .containsEntry("refreservation", "2097152")
                    .containsKey("refquota");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acltype",
                "aclmode",
                "aclinherit",
                "xattr",
                "atime",
                "compression",
                "recordsize",
                "quota",
                "reservation",
                "refreservation",
                "refquota"
            })
    void one_that_the_pool_refuses_refuses_the_volume_and_nothing_is_left(String key) {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            west().refuseProperty(key, "permission denied");

            Failing.with(Failure.BackendRejected.class, () -> restore(fixture, SNAPSHOT));

            nothingIsLeft();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"acltype", "aclmode", "aclinherit", "xattr", "atime", "compression", "recordsize", "quota"})
    void one_that_was_only_warned_of_with_the_stream_is_set_after_it(String key) {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            String kept = Map.of("recordsize", "1048576", "quota", "8589934592", "compression", "gzip")
                    .getOrDefault(key, WANTED.getOrDefault(key, ""));
            west().refuseProperty(key, "size is less than current used or reserved space");
            Failing.with(Failure.BackendUnavailable.class, () -> restore(fixture, SNAPSHOT));
            assertThat(west().own(TO)).doesNotContainKey(key);
            west().refuseProperty(key, "");

            restore(fixture, SNAPSHOT);

            assertThat(west().own(TO)).containsEntry(key, kept);
            assertThat(west().files(TO)).hasSize(20);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "acltype, off",
        "aclmode, discard",
        "aclinherit, restricted",
        "xattr, off",
        "atime, on",
        "compression, gzip-9",
        "recordsize, 131072",
        "quota, 0",
        "reservation, 0",
        "refreservation, 0",
        "refquota, 0"
    })
    void one_that_reads_back_otherwise_is_not_answered_as_set(String key, String lie) {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            west().lie(key, lie);

            for (int i = 0; i < 2; i++) {
                Failing.with(Failure.BackendUnavailable.class, () -> restore(fixture, SNAPSHOT));
            }

            assertThat(west().own(TO)).containsEntry("dev.fairlead:state", "making");
        }
    }

    /** As every volume with content. */
    @Test
    void a_block_volume_has_no_reservation_though_its_connection_makes_empty_ones_with_one() {
        TransferCrashFixture blocks =
                TransferCrashFixture.with("zfs-local-zvol", Map.of("zvolEnableReservation", true));
        try (TransferControllerFixture fixture = blocks.open()) {
            fixture.make("pvc-1", "east");

            restore(fixture, VOLUME);

            assertThat(blocks.pool("east").own(FROM)).containsKey("refreservation");
            assertThat(blocks.pool("west").own(TO)).containsKey("volsize").doesNotContainKey("refreservation");
        }
    }
}
