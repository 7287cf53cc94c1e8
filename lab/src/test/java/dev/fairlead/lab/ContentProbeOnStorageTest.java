package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What real ZFS counts of block volumes that nobody has written to, and of those that somebody has. */
@OnStorage
class ContentProbeOnStorageTest {
    private static final NativeId PVC = new NativeId("pvc-1");
    private static final String ZEROS = "dd if=/dev/zero of=DEVICE bs=1M count=8 conv=fsync 2>/dev/null";

    /** A store of block volumes in a pool of its own, on files. */
    private record Pool(ZfsPoolFixture fixture, String name, VolumeStore store) implements AutoCloseable {
        static Pool of(StorageHost host, String name, String vdevs, String compression) {
            ZfsPoolFixture fixture = new ZfsPoolFixture(host);
            fixture.bash(
                    "zpool destroy -f " + name + " 2>/dev/null; for f in 1 2 3; do truncate -s 256M /var/tmp/" + name
                            + "-$f; done; zpool create -O compression=" + compression + " -O mountpoint=/" + name + " "
                            + vdevs.replace("FILE", "/var/tmp/" + name + "-"));
            return new Pool(fixture, name, fixture.volumes(Map.of("datasetParentName", name + "/v")));
        }

        StoredVolume make() {
            return store.create(
                            store.plan(TestVolumes.sized(PVC.value(), Capacity.ofBytes(128L << 20)), PVC),
                            TestWork.patient())
                    .volume();
        }

        /** Runs a line of shell in which DEVICE is the volume's, and returns what is found when ZFS has counted. */
        HostFinding after(String line) {
            fixture.bash("set -e; udevadm settle; " + line.replace("DEVICE", "/dev/zvol/" + name + "/v/" + PVC)
                    + "; sync; zpool sync " + name + "; zpool sync " + name);
            return store.contentProbe().orElseThrow().probe(PVC, TestWork.patient());
        }

        /** Discards the whole device, and checks that nothing of it counts any more. */
        void discard() {
            assertThat(after("blkdiscard DEVICE"))
                    .as("what was there is discarded")
                    .isNotEqualTo(HostFinding.WRITTEN);
        }

        @Override
        public void close() {
            store.close();
            fixture.bash("zpool destroy -f " + name + "; rm -f /var/tmp/" + name + "-?");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "probe9, -o ashift=9 probe9 FILE1",
        "probe12, -o ashift=12 probe12 FILE1",
        "probe13, -o ashift=13 probe13 mirror FILE1 FILE2",
        "probez, -o ashift=12 probez raidz FILE1 FILE2 FILE3"
    })
    void what_is_written_counts_and_what_is_not_or_was_discarded_does_not(String name, String vdevs, StorageHost host) {
        try (Pool pool = Pool.of(host, name, vdevs, "lz4")) {
            var _ = pool.make();

            assertThat(pool.after("true")).isNotEqualTo(HostFinding.WRITTEN);
            pool.discard();
            assertThat(pool.after(ZEROS))
                    .as("zeros that are compressed to nothing")
                    .isNotEqualTo(HostFinding.WRITTEN);
            assertThat(pool.after("printf x | dd of=DEVICE bs=16k seek=4001 conv=sync,fsync,notrunc 2>/dev/null"))
                    .as("one block, which is compressed into its pointer")
                    .isNotEqualTo(HostFinding.BLANK);
            assertThat(pool.after("yes | dd of=DEVICE bs=64k seek=900 count=32 iflag=fullblock conv=fsync 2>/dev/null"))
                    .as("2 MiB in the middle that are compressed to almost nothing")
                    .isEqualTo(HostFinding.WRITTEN);
            pool.discard();
            assertThat(pool.after("dd if=/dev/urandom of=DEVICE bs=64k count=300 conv=fsync 2>/dev/null"))
                    .as("some thousand blocks")
                    .isEqualTo(HostFinding.WRITTEN);
            pool.discard();
        }
    }

    @Test
    void zeros_count_where_nothing_is_compressed(StorageHost host) {
        try (Pool pool = Pool.of(host, "probeoff", "-o ashift=12 probeoff FILE1", "off")) {
            var _ = pool.make();

            assertThat(pool.after(ZEROS)).isEqualTo(HostFinding.WRITTEN);
        }
    }
}
