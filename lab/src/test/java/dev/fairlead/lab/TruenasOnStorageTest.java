package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.simulator.profile.Profile;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A simulated TrueNAS whose volumes are real: used by hand by real clients, granted and refused by real services. */
@OnStorage
class TruenasOnStorageTest {
    private static final Map<String, String> NONE = Map.of();

    @TempDir
    private Path folder = Path.of("/nowhere");

    /** Returns the types that are asked for, by default all. */
    static Stream<String> types() {
        return Stream.of(System.getProperty(
                        "fairlead.truenas.types",
                        "freenas-api-nfs,freenas-api-iscsi,freenas-api-smb,freenas-api-nvmeof,freenas-nfs,freenas-iscsi,"
                                + "freenas-smb,freenas-nvmeof")
                .split(",", -1));
    }

    @ParameterizedTest
    @MethodSource("types")
    void a_file_goes_through_all_that_becomes_of_a_volume(String type, StorageHost host) throws Exception {
        try (TruenasOnPool truenas = TruenasOnPool.start(host, Profile.V25_10, type, folder)) {
            String volume = truenas.create("pvc-1", NONE);
            assertThat(truenas.read(volume, 2)).as("before any grant").isEqualTo("refused");
            truenas.grant(volume, 2);
            String data = truenas.write(volume, 2);
            assertThat(data).matches("[0-9]+ 4194304 data");
            assertThat(truenas.read(volume, 3)).as("another node").isEqualTo("refused");
            truenas.revoke(volume, 2);
            assertThat(truenas.read(volume, 2)).as("after its revoke").isEqualTo("refused");
            truenas.grant(volume, 3);
            assertThat(truenas.read(volume, 3)).isEqualTo(data);
            assertThat(truenas.read(volume, 2)).as("the first one, still").isEqualTo("refused");

            long before = truenas.size(volume, 3);
            truenas.expand(volume);
            assertThat(truenas.size(volume, 3)).as("grown from %s MiB", before).isGreaterThan(before * 3 / 2);

            String clone = truenas.create("pvc-2", NONE, CsiClient.fromVolume(volume));
            String snapshot = truenas.client().snapshot("snap-1", volume).getSnapshotId();
            String other = truenas.write(volume, 3);
            assertThat(other).isNotEqualTo(data);
            String restored = truenas.create("pvc-3", NONE, CsiClient.fromSnapshot(snapshot));
            String moved = truenas.create("pvc-4", Map.of("parent", "second"), CsiClient.fromSnapshot(snapshot));
            assertThat(host.shell("zfs get -H -o value origin small/k8s/v/pvc-4")
                            .strip())
                    .as("a copy of its own in the other pool")
                    .isEqualTo("-");
            for (String copy : new String[] {clone, restored, moved}) {
                assertThat(truenas.read(copy, 2))
                        .as("%s before any grant", copy)
                        .isEqualTo("refused");
                truenas.grant(copy, 2);
                assertThat(truenas.read(copy, 2)).as(copy).isEqualTo(data);
                assertThat(truenas.read(copy, 3)).as("%s by another node", copy).isEqualTo("refused");
                truenas.revoke(copy, 2);
                truenas.client().delete(copy);
            }
            assertThat(truenas.read(volume, 3)).isEqualTo(other);
            truenas.revoke(volume, 3);
            truenas.client().deleteSnapshot(snapshot);
            truenas.client().delete(volume);

            assertThat(truenas.left()).isEmpty();
            assertThat(truenas.box().broken()).isEmpty();
        }
    }
}
