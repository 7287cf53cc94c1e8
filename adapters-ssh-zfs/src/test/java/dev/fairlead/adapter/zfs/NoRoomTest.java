package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whichever step finds that there is no room, nothing is left that nobody would ever delete. */
class NoRoomTest {
    private static final String FULL = "cannot create 'tank/v/pvc-2': out of space";
    private static final String OVER_QUOTA = "chmod: changing permissions of '/tank/v/pvc-1': Disk quota exceeded";
    private static final Source VOLUME = new Source.Volume("v:nas/pvc-1");
    private static final Map<String, String> COPIES =
            Map.of("detachedVolumesFromSnapshots", "true", "detachedVolumesFromVolumes", "true");

    private final ZfsCrashFixture zfsCrashFixture =
            ZfsCrashFixture.shared("nfs", "sharenfs", Map.of("datasetPermissionsMode", "0777"));
    private final OneConnectionFixture oneConnectionFixture = zfsCrashFixture.open();

    @AfterEach
    void close() {
        oneConnectionFixture.close();
    }

    private VolumeView create(String name, Source source, Map<String, String> parameters) {
        return oneConnectionFixture.create(name, CapacityRange.of(1L << 30, 0), source, parameters);
    }

    private void snapshot(String name, Map<String, String> parameters) {
        oneConnectionFixture
                .useCases()
                .takeSnapshot()
                .take(new CsiName(name), "v:nas/pvc-1", parameters, TestWork.named(name));
    }

    private void refuse(String subcommand, String words) {
        zfsCrashFixture.pool().refuse(subcommand, words);
    }

    private Set<String> names() {
        return zfsCrashFixture.pool().names();
    }

    @Test
    void a_quota_that_even_the_permissions_are_too_much_for() {
        Set<String> before = names();
        refuse("0777", OVER_QUOTA);

        Failing.with(Failure.OutOfSpace.class, () -> create("pvc-1", Source.NONE, Map.of()));

        assertThat(names()).isEqualTo(before);
    }

    @Test
    void a_clone_that_there_is_no_room_for_leaves_no_snapshot_at_its_source() {
        create("pvc-1", Source.NONE, Map.of());
        Set<String> before = names();
        refuse("clone", FULL);

        Failing.with(Failure.OutOfSpace.class, () -> create("pvc-2", VOLUME, Map.of()));

        assertThat(names()).isEqualTo(before);
    }

    @Test
    void a_clone_that_cannot_be_finished_goes_with_the_snapshot_that_it_is_made_of() {
        create("pvc-1", Source.NONE, Map.of());
        Set<String> before = names();
        refuse("0777", OVER_QUOTA);

        Failing.with(Failure.OutOfSpace.class, () -> create("pvc-2", VOLUME, Map.of()));

        assertThat(names()).isEqualTo(before);
    }

    /** What a later call would find would be as old as the first. */
    @Test
    void a_copy_is_of_what_its_source_was_when_it_was_asked_for_again() {
        create("pvc-1", Source.NONE, Map.of());
        zfsCrashFixture.pool().files("tank/v/pvc-1").put("data", "then");
        refuse("send", "cannot receive new filesystem stream: out of space");
        Failing.with(Failure.OutOfSpace.class, () -> create("pvc-2", VOLUME, COPIES));
        refuse("send", "");
        zfsCrashFixture.pool().files("tank/v/pvc-1").put("data", "now");

        create("pvc-2", VOLUME, COPIES);

        assertThat(zfsCrashFixture.pool().files("tank/v/pvc-2")).containsEntry("data", "now");
    }

    @Test
    void a_clone_that_the_storage_refuses_leaves_no_snapshot_either() {
        create("pvc-1", Source.NONE, Map.of());
        Set<String> before = names();
        refuse("clone", "cannot create 'tank/v/pvc-2': permission denied");

        Failing.with(Failure.BackendRejected.class, () -> create("pvc-2", VOLUME, Map.of()));

        assertThat(names()).isEqualTo(before);
    }

    @Test
    void a_restore_of_a_detached_snapshot_leaves_none_at_that() {
        create("pvc-1", Source.NONE, Map.of());
        snapshot("snap-1", Map.of("detachedSnapshots", "true"));
        Set<String> before = names();
        refuse("clone", FULL);

        Failing.with(
                Failure.OutOfSpace.class, () -> create("pvc-2", new Source.Snapshot("s:nas/pvc-1/snap-1"), Map.of()));

        assertThat(names()).isEqualTo(before);
    }

    @Test
    void a_detached_snapshot_leaves_neither_a_snapshot_nor_a_holder() {
        create("pvc-1", Source.NONE, Map.of());
        Set<String> before = names();
        refuse("send", "cannot receive new filesystem stream: out of space");

        Failing.with(Failure.OutOfSpace.class, () -> snapshot("snap-1", Map.of("detachedSnapshots", "true")));

        assertThat(names()).isEqualTo(before);
    }

    /** One that democratic-csi took has no mark of its own. */
    @Test
    void a_snapshot_of_this_name_that_is_not_ours_stays() {
        create("pvc-1", Source.NONE, Map.of());
        String theirs = "tank/v/pvc-1@volume-source-for-volume-pvc-2";
        zfsCrashFixture.pool().play(List.of("zfs", "snapshot", theirs));
        refuse("clone", FULL);

        Failing.with(Failure.OutOfSpace.class, () -> create("pvc-2", VOLUME, Map.of()));

        assertThat(names()).contains(theirs);
    }

    @Test
    void what_cannot_be_cleared_away_is_asked_for_again() {
        create("pvc-1", Source.NONE, Map.of());
        Set<String> before = names();
        refuse("clone", FULL);
        refuse("destroy", "cannot destroy snapshot: permission denied");
        Failing.with(Failure.BackendUnavailable.class, () -> create("pvc-2", VOLUME, Map.of()));
        refuse("destroy", "");

        Failing.with(Failure.OutOfSpace.class, () -> create("pvc-2", VOLUME, Map.of()));

        assertThat(names()).isEqualTo(before);
    }
}
