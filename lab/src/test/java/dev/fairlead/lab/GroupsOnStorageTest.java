package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.snapshot.SnapshotGroupsContract;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Snapshots of several volumes at one instant, on a real pool, while they are being written. */
@OnStorage
class GroupsOnStorageTest {
    private static final int GROUPS = 5;
    private static final String DIRECT = " bs=4096 count=1 conv=sync,notrunc oflag=direct iflag=fullblock 2>/dev/null";

    private static List<StoredVolume> make(VolumeStore store, String... names) {
        return Stream.of(names)
                .map(name -> store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                        .volume())
                .toList();
    }

    private static SnapshotGroups groups(VolumeStore store) {
        return store.snapshots().flatMap(SnapshotStore::groups).orElseThrow();
    }

    private static StoredGroup take(VolumeStore store, String name, List<StoredVolume> volumes) {
        var request = new GroupRequest(
                new CsiName(name), volumes.stream().map(StoredVolume::id).toList(), Map.of());
        return groups(store).take(request, 100, TestWork.patient());
    }

    private static final String STOP = "/var/tmp/groups-stop";

    /**
     * Counts by the first command, then by the second, and again, until it is told to stop; or for a minute, should
     * nobody.
     */
    private static String writer(String first, String second) {
        return "rm -f " + STOP + "; (end=$(($(date +%s)+60)); n=0; while [ ! -e " + STOP
                + " ] && [ $(date +%s) -lt $end ]; do n=$((n+1)); " + first + "; " + second
                + "; done) </dev/null >/dev/null 2>&1 &";
    }

    /**
     * What is written to the second only after the first can never be ahead of it, and is behind it by at most one: of
     * one instant, all pairs are so. Two instants would let the writer run on between them.
     */
    @Test
    void the_snapshots_of_filesystems_that_are_written_show_one_instant(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        try (VolumeStore store = fixture.filesystems(Map.of("datasetEnableQuotas", true))) {
            List<StoredVolume> volumes = make(store, "pvc-1", "pvc-2");
            String first = volumes.get(0).medium().path() + "/counter";
            String second = volumes.get(1).medium().path() + "/counter";
            List<long[]> seen = new ArrayList<>();
            fixture.shell("echo 0 >" + first + "; echo 0 >" + second);
            // Appended, since a file that is written anew is empty for a moment.
            fixture.shell(writer("echo $n >>" + first, "echo $n >>" + second));
            try {
                for (int i = 0; i < GROUPS; i++) {
                    take(store, "group-" + i, volumes);
                }
            } finally {
                fixture.shell("touch " + STOP);
            }

            for (int i = 0; i < GROUPS; i++) {
                String snapshot = "/.zfs/snapshot/group-" + i + "/counter";
                seen.add(new long[] {
                    number(fixture, volumes.get(0).medium().path() + snapshot),
                    number(fixture, volumes.get(1).medium().path() + snapshot)
                });
            }

            assertThat(seen).allSatisfy(pair -> assertThat(pair[0] - pair[1]).isBetween(0L, 1L));
            assertThat(seen.getLast()[0]).as("it was written meanwhile").isGreaterThan(seen.getFirst()[0]);
            for (int i = 0; i < GROUPS; i++) {
                groups(store).delete(new NativeId("group-" + i), TestWork.patient());
            }
            assertThat(fixture.left()).doesNotContain("@");
        }
    }

    private static long number(ZfsPoolFixture fixture, String path) {
        return Long.parseLong(fixture.shell("tail -n 1 " + path).strip());
    }

    /** The same of block volumes, the second written through its device, past every cache. */
    @Test
    void the_snapshots_of_block_volumes_that_are_written_show_one_instant(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        try (VolumeStore store = fixture.volumes(Map.of())) {
            List<StoredVolume> volumes = make(store, "pvc-1", "pvc-2");
            String first = "echo ${n:-0} | dd of=" + volumes.get(0).medium().path() + DIRECT;
            String second = "echo ${n:-0} | dd of=" + volumes.get(1).medium().path() + DIRECT;
            fixture.shell(first + "; " + second);
            fixture.shell(writer(first, second));
            List<StoredGroup> taken = new ArrayList<>();
            try {
                for (int i = 0; i < GROUPS; i++) {
                    taken.add(take(store, "group-" + i, volumes));
                }
            } finally {
                fixture.shell("touch " + STOP);
            }

            for (StoredGroup group : taken) {
                List<Long> pair = new ArrayList<>();
                for (var snapshot : group.snapshots()) {
                    String name = "pvc-of-" + snapshot.source() + "-" + group.id();
                    StoredVolume restored = store.create(
                                    store.plan(TestVolumes.fromSnapshot(name, snapshot.id()), new NativeId(name)),
                                    TestWork.patient())
                            .volume();
                    pair.add(Long.parseLong(fixture.shell("udevadm settle; dd if="
                                    + restored.medium().path() + " bs=4096 count=1 2>/dev/null | tr -d '\\000'")
                            .strip()));
                }
                assertThat(pair.get(0) - pair.get(1)).isBetween(0L, 1L);
            }
        }
    }

    /** What the contract of groups asks, of real ZFS. */
    @Nested
    class Contract implements SnapshotGroupsContract {
        private Optional<ZfsPoolFixture> fixture = Optional.empty();

        @BeforeEach
        void enter(StorageHost host) {
            fixture = Optional.of(new ZfsPoolFixture(host));
        }

        @Override
        public VolumeStore store() {
            return fixture.orElseThrow().filesystems(Map.of("datasetPermissionsMode", "0777"));
        }

        @Override
        public void write(StoredVolume volume, String file, String content) {
            fixture.orElseThrow().write(volume, file, content);
        }

        @Override
        public Optional<String> read(StoredVolume volume, String file) {
            return fixture.orElseThrow().read(volume, file);
        }

        @Override
        public void verifyEmpty() {
            assertThat(fixture.orElseThrow().left()).isEmpty();
        }
    }
}
