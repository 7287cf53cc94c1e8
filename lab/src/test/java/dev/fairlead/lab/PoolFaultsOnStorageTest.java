package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Pools and datasets in a bad way, as real ZFS has them: what is said of it, what is left, and whether a retry heals
 * it.
 */
@OnStorage
class PoolFaultsOnStorageTest {
    private static final String POOL = "faulty";

    /** A pool on a device that can be made to fail. */
    private static final String MAKE = "truncate -s 256M /var/tmp/faulty && loop=$(losetup -f --show /var/tmp/faulty)"
            + " && dmsetup create faulty --table \"0 524288 linear $loop 0\""
            + " && zpool create -O mountpoint=/faulty " + POOL + " /dev/mapper/faulty";

    private static final String BREAK = "dmsetup suspend --noflush --nolockfs faulty"
            + " && dmsetup load faulty --table '0 524288 error' && dmsetup resume faulty";

    private static final String MEND = "loop=$(losetup -n -O NAME -j /var/tmp/faulty | tr -d ' ');"
            + " dmsetup suspend --noflush --nolockfs faulty; dmsetup load faulty --table \"0 524288 linear $loop 0\";"
            + " dmsetup resume faulty; zpool clear " + POOL;

    private static final String REMOVE = "zpool destroy -f " + POOL + " 2>/dev/null; dmsetup remove --retry faulty"
            + " 2>/dev/null; losetup -j /var/tmp/faulty | cut -d: -f1 | xargs -r losetup -d; rm -f /var/tmp/faulty";

    private static NativeId id(String name) {
        return new NativeId(name);
    }

    private static StoredVolume make(VolumeStore store, String name, long mebibytes, Content content) {
        CreateRequest plain = TestVolumes.empty(name);
        var size = new CapacityRange(Optional.of(new Capacity(mebibytes << 20)), Optional.empty());
        var request = new CreateRequest(plain.name(), size, plain.capabilities(), Map.of(), content, plain.mutable());
        return store.create(store.plan(request, id(name)), TestWork.patient()).volume();
    }

    private static StoredSnapshot snapshot(VolumeStore store, String volume) {
        SnapshotStore snapshots = store.snapshots().orElseThrow();
        return snapshots.take(new SnapshotRequest(new CsiName("s-1"), id(volume), Map.of()), 100, TestWork.patient());
    }

    private ZfsPoolFixture rig(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        fixture.shell(REMOVE + "; " + MAKE);
        return fixture;
    }

    @AfterEach
    void remove(StorageHost host) {
        new ZfsPoolFixture(host).shell(REMOVE);
    }

    @Test
    void a_full_pool_is_out_of_space_and_keeps_nothing_of_the_volume(StorageHost host) {
        ZfsPoolFixture fixture = rig(host);
        try (VolumeStore store =
                fixture.filesystems(Map.of("datasetParentName", POOL + "/v", "datasetEnableReservation", true))) {
            make(store, "pvc-1", 64, Content.EMPTY);
            String before = fixture.shell("zfs list -H -o name -r " + POOL);

            assertThatThrownBy(() -> make(store, "pvc-2", 64, Content.EMPTY))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.OutOfSpace.class));

            assertThat(fixture.shell("zfs list -H -o name -r " + POOL)).isEqualTo(before);
            store.delete(id("pvc-1"), OnDependents.REFUSE, TestWork.patient());
            assertThat(make(store, "pvc-2", 64, Content.EMPTY).id()).isEqualTo(id("pvc-2"));
        }
    }

    @Test
    void a_volume_whose_data_fills_the_pool_can_still_be_deleted(StorageHost host) {
        ZfsPoolFixture fixture = rig(host);
        try (VolumeStore store = fixture.filesystemsBelow(POOL + "/v")) {
            StoredVolume volume = make(store, "pvc-1", 512, Content.EMPTY);
            fixture.shell("dd if=/dev/urandom of=" + volume.medium().path() + "/data bs=1M 2>/dev/null; sync");

            assertThatThrownBy(() -> snapshot(store, "pvc-1"))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.OutOfSpace.class));
            store.delete(id("pvc-1"), OnDependents.REFUSE, TestWork.patient());

            assertThat(fixture.shell("zfs list -H -o name -r " + POOL)).doesNotContain("pvc-1");
        }
    }

    @Test
    void a_suspended_pool_ends_a_call_in_time_and_a_retry_finishes_it(StorageHost host) {
        ZfsPoolFixture fixture = rig(host);
        fixture.shell("zpool set failmode=wait " + POOL);
        try (VolumeStore store = fixture.filesystemsBelow(POOL + "/v")) {
            make(store, "pvc-1", 16, Content.EMPTY);
            fixture.shell(BREAK);
            // The kernel finds out by what it writes.
            fixture.shell("(timeout 5 zfs set a:b=c " + POOL + " || true) >/dev/null 2>&1 &"
                    + " for i in $(seq 60); do [ \"$(cat /proc/spl/kstat/zfs/" + POOL
                    + "/state)\" != SUSPENDED ] || exit 0; sleep 0.5; done; exit 1");
            long began = System.nanoTime();
            try {
                assertThatThrownBy(() -> store.create(
                                store.plan(TestVolumes.empty("pvc-2"), id("pvc-2")),
                                TestWork.named("pvc-2").left(Duration.ofSeconds(10))))
                        .isInstanceOf(StorageException.class)
                        .hasMessageContaining("nas");
            } finally {
                fixture.shell(MEND);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(60));

            assertThat(make(store, "pvc-2", 16, Content.EMPTY).id()).isEqualTo(id("pvc-2"));
            store.delete(id("pvc-1"), OnDependents.REFUSE, TestWork.patient());
            store.delete(id("pvc-2"), OnDependents.REFUSE, TestWork.patient());
            assertThat(fixture.shell("zfs list -H -o name -r " + POOL + "/v")).isEqualTo(POOL + "/v\n");
        }
    }

    /** ZFS says of it what it says of a dataset that was destroyed. */
    @Test
    void a_volume_of_a_pool_that_is_not_imported_is_neither_missing_nor_deleted(StorageHost host) {
        ZfsPoolFixture fixture = rig(host);
        try (VolumeStore store = fixture.filesystemsBelow(POOL + "/v")) {
            StoredVolume volume = make(store, "pvc-1", 16, Content.EMPTY);
            fixture.shell("zpool export " + POOL);

            assertThatThrownBy(() -> store.find(volume.id(), TestWork.patient()))
                    .hasMessageContaining("there is no pool '" + POOL + "'");
            assertThatThrownBy(() -> store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient()))
                    .hasMessageContaining("there is no pool '" + POOL + "'");
            assertThatThrownBy(() -> store.list(PageRequest.all(), TestWork.patient()))
                    .hasMessageContaining("there is no pool '" + POOL + "'");

            fixture.shell("zpool import -d /dev/mapper " + POOL);
            assertThat(store.find(volume.id(), TestWork.patient())).contains(volume);
        }
    }

    @Test
    void a_quota_below_what_the_source_holds_is_refused_and_leaves_nothing(StorageHost host) {
        ZfsPoolFixture fixture = rig(host);
        try (VolumeStore open = fixture.filesystemsBelow(POOL + "/v");
                VolumeStore held =
                        fixture.filesystems(Map.of("datasetParentName", POOL + "/v", "datasetEnableQuotas", true))) {
            StoredVolume volume = make(open, "pvc-1", 1, Content.EMPTY);
            fixture.shell("head -c 8M /dev/urandom >" + volume.medium().path() + "/data; sync");
            StoredSnapshot taken = snapshot(open, "pvc-1");

            assertThatThrownBy(() -> make(held, "pvc-2", 1, new Content.OfSnapshot(taken.id())))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.OutOfSpace.class));

            assertThat(fixture.shell("zfs list -H -o name -r " + POOL)).doesNotContain("pvc-2");
            assertThat(make(held, "pvc-2", 16, new Content.OfSnapshot(taken.id()))
                            .id())
                    .isEqualTo(id("pvc-2"));
        }
    }

    /**
     * ZFS has a word for it that outlives everybody: the snapshot goes with its last hold, and is nobody's until then.
     */
    @Test
    void a_snapshot_that_somebody_holds_is_deleted_and_goes_when_it_is_released(StorageHost host) {
        ZfsPoolFixture fixture = rig(host);
        try (VolumeStore store = fixture.filesystemsBelow(POOL + "/v")) {
            make(store, "pvc-1", 16, Content.EMPTY);
            StoredSnapshot taken = snapshot(store, "pvc-1");
            SnapshotStore snapshots = store.snapshots().orElseThrow();
            fixture.shell("zfs hold backup " + POOL + "/v/" + taken.id());

            snapshots.delete(taken.id(), TestWork.patient());
            assertThat(snapshots.find(taken.id(), TestWork.patient())).isEmpty();
            assertThat(fixture.shell("zfs get -H -o value defer_destroy " + POOL + "/v/" + taken.id()))
                    .isEqualTo("on\n");

            fixture.shell("zfs release backup " + POOL + "/v/" + taken.id());
            assertThat(fixture.shell("zfs list -H -o name -t snapshot -r " + POOL))
                    .isEmpty();
        }
    }

    @Test
    void a_dataset_that_somebody_is_in_stays_until_it_is_left(StorageHost host) {
        ZfsPoolFixture fixture = rig(host);
        try (VolumeStore store = fixture.filesystemsBelow(POOL + "/v")) {
            StoredVolume volume = make(store, "pvc-1", 16, Content.EMPTY);
            String visitor = fixture.shell(
                            "cd " + volume.medium().path() + "; sleep 300 >/dev/null 2>&1 </dev/null & echo $!")
                    .strip();

            assertThatThrownBy(() -> store.delete(id("pvc-1"), OnDependents.REFUSE, TestWork.patient()))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("busy");
            assertThat(store.find(id("pvc-1"), TestWork.patient())).isPresent();

            fixture.shell("kill " + visitor);
            assertThatCode(() -> store.delete(id("pvc-1"), OnDependents.REFUSE, TestWork.patient()))
                    .doesNotThrowAnyException();
        }
    }
}
