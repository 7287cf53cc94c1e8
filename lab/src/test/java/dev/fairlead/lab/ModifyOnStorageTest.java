package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What real {@code zfs set} makes of properties of a volume in use: all of them, or none. */
@OnStorage
class ModifyOnStorageTest {
    private static final NativeId PVC = new NativeId("pvc-1");

    private static StoredVolume make(VolumeStore store, Map<String, String> mutable) {
        CreateRequest plain = TestVolumes.empty("pvc-1");
        var request = new CreateRequest(
                plain.name(), plain.capacity(), plain.capabilities(), Map.of(), plain.content(), mutable);
        return store.create(store.plan(request, PVC), TestWork.patient()).volume();
    }

    private static void modify(VolumeStore store, Map<String, String> parameters) {
        store.modification().orElseThrow().modify(PVC, parameters, TestWork.patient());
    }

    /** The values of these properties and where they come from. */
    private static Map<String, String> values(ZfsPoolFixture fixture, String dataset) {
        Map<String, String> values = new TreeMap<>();
        fixture.shell("zfs get -Hp -o property,value,source"
                        + " compression,recordsize,sync,logbias,primarycache,secondarycache " + dataset)
                .lines()
                .map(line -> line.split("\t", -1))
                .forEach(row -> values.put(row[0], row[1] + " " + row[2]));
        return values;
    }

    @Test
    void every_value_that_is_let_through_is_one_that_zfs_takes_and_reads_back(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        try (VolumeStore store = fixture.filesystems(Map.of())) {
            make(store, Map.of("compression", "zstd-19", "recordsize", "16K", "sync", "disabled"));
            assertThat(values(fixture, fixture.parent() + "/pvc-1"))
                    .containsEntry("compression", "zstd-19 local")
                    .containsEntry("recordsize", "16384 local")
                    .containsEntry("sync", "disabled local");

            for (String value : new String[] {
                "off",
                "on",
                "lz4",
                "lzjb",
                "zle",
                "gzip",
                "gzip-1",
                "gzip-6",
                "gzip-9",
                "zstd",
                "zstd-1",
                "zstd-3",
                "zstd-fast",
                "zstd-fast-1",
                "zstd-fast-10",
                "zstd-fast-100",
                "zstd-fast-1000"
            }) {
                modify(store, Map.of("compression", value));
            }
            for (String value : new String[] {"512", "4K", "128K", "1M"}) {
                modify(store, Map.of("recordsize", value));
            }
            for (String value : new String[] {"always", "disabled", "standard"}) {
                modify(store, Map.of("sync", value));
            }
            for (String value : new String[] {"none", "metadata", "all"}) {
                modify(store, Map.of("primarycache", value, "secondarycache", value));
            }
            modify(store, Map.of("logbias", "throughput"));

            assertThat(values(fixture, fixture.parent() + "/pvc-1"))
                    .isEqualTo(Map.of(
                            "compression", "zstd-fast-1000 local",
                            "recordsize", "1048576 local",
                            "sync", "standard local",
                            "primarycache", "all local",
                            "secondarycache", "all local",
                            "logbias", "throughput local"));
        }
    }

    @Test
    void a_block_volume_is_changed_too(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        try (VolumeStore store = fixture.volumes(Map.of())) {
            StoredVolume volume = make(store, Map.of("compression", "lz4"));
            fixture.writeBlock(volume, "data", "precious");

            modify(store, Map.of("compression", "zstd", "logbias", "throughput", "sync", "always"));

            assertThat(values(fixture, fixture.parent() + "/pvc-1"))
                    .containsEntry("compression", "zstd local")
                    .containsEntry("logbias", "throughput local")
                    .containsEntry("sync", "always local");
            assertThat(fixture.readBlock(volume, "data")).contains("precious");
        }
    }

    /** A pool that was never upgraded: the kernel refuses the one, and by itself would have set the others. */
    @Test
    void where_the_pool_lacks_a_feature_none_of_them_is_set(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        fixture.shell("truncate -s 128M /var/tmp/groups-old; zpool destroy groupsold 2>/dev/null;"
                + " zpool create -o feature@zstd_compress=disabled -O mountpoint=/groupsold groupsold"
                + " /var/tmp/groups-old");
        try (VolumeStore store = fixture.filesystemsBelow("groupsold/v")) {
            make(store, Map.of("sync", "always"));
            Map<String, String> before = values(fixture, "groupsold/v/pvc-1");
            assertThat(fixture.shell("zfs set compression=zstd logbias=throughput groupsold/v/pvc-1 2>&1 || true"))
                    .as("what zfs says by itself")
                    .contains("must be upgraded");
            assertThat(values(fixture, "groupsold/v/pvc-1"))
                    .as("what zfs does by itself, which this test is about")
                    .containsEntry("logbias", "throughput local");
            fixture.shell("zfs inherit logbias groupsold/v/pvc-1");

            assertThatThrownBy(() ->
                            modify(store, Map.of("compression", "zstd", "logbias", "throughput", "sync", "standard")))
                    .hasMessageContaining("mutable_parameters: ")
                    .hasMessageContaining("must be upgraded");

            assertThat(values(fixture, "groupsold/v/pvc-1")).isEqualTo(before);
        } finally {
            fixture.shell("zpool destroy -f groupsold; rm -f /var/tmp/groups-old");
        }
    }

    @Test
    void values_that_zfs_itself_refuses_change_nothing(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        try (VolumeStore store = fixture.filesystems(Map.of())) {
            make(store, Map.of("sync", "always"));
            Map<String, String> before = values(fixture, fixture.parent() + "/pvc-1");

            assertThat(fixture.shell("zfs set sync=standard compression=zstd-99 " + fixture.parent()
                            + "/pvc-1 2>/dev/null && echo done || echo refused"))
                    .contains("refused");

            assertThat(values(fixture, fixture.parent() + "/pvc-1"))
                    .as("zfs checks all values before it sets any")
                    .isEqualTo(before);
        }
    }
}
