package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A whole controller over a connection with several parents, and what its callers see. */
class SeveralParentsTest {
    private final ZfsCrashFixture zfsCrashFixture =
            ZfsCrashFixture.shared("nfs", "sharenfs", Map.of()).withParents();
    private final OneConnectionFixture oneConnectionFixture = zfsCrashFixture.open();

    private VolumeView create(String name, String parent, Source source) {
        return oneConnectionFixture.create(
                name, TestVolumes.atLeast(TestVolumes.SIZE), source, Map.of("parent", parent));
    }

    private VolumeView create(String name, String parent) {
        return create(name, parent, Source.NONE);
    }

    @AfterEach
    void close() {
        oneConnectionFixture.close();
    }

    @Test
    void a_handle_and_a_context_say_where_the_volume_is() {
        VolumeView fast = create("pvc-1", "fast");
        VolumeView far = create("pvc-1-b", "far");

        assertThat(fast.handle()).isEqualTo("v:nas/fast.pvc-1");
        assertThat(fast.context()).containsEntry("share", "/tank/fast/pvc-1");
        assertThat(far.handle()).isEqualTo("v:nas/far.pvc-1-b");
        assertThat(far.context()).containsEntry("share", "/ssd/v/pvc-1-b");
    }

    @Test
    void one_name_is_one_volume_whatever_parent_is_asked_for() {
        create("pvc-1", "fast");
        String before = zfsCrashFixture.dump();

        for (String other : List.of("", "far")) {
            Failing.with(Failure.VolumeConflict.class, () -> create("pvc-1", other));
            Failing.with(
                    Failure.VolumeConflict.class, () -> create("pvc-1", other, new Source.Volume("v:nas/fast.pvc-1")));
        }

        assertThat(zfsCrashFixture.dump()).isEqualTo(before);
        assertThat(create("pvc-1", "fast").handle()).isEqualTo("v:nas/fast.pvc-1");
    }

    @Test
    void a_parent_that_is_not_allowed_is_an_argument_that_is_wrong() {
        String before = zfsCrashFixture.dump();

        Failing.with(Failure.InvalidRequest.class, () -> create("pvc-1", "tank"));

        assertThat(zfsCrashFixture.dump()).isEqualTo(before);
    }

    /** Where the second volume below a parent is noted at its birth, as that of the first was seen. */
    @Test
    void each_parent_is_mounted_where_it_is_mounted() {
        zfsCrashFixture.pool().mount("ssd/v", "/export/far");
        create("pvc-1", "fast");
        create("pvc-2", "far");
        int before = zfsCrashFixture.pool().roundTrips();

        assertThat(create("pvc-3", "fast").context()).containsEntry("share", "/tank/fast/pvc-3");
        assertThat(create("pvc-4", "far").context()).containsEntry("share", "/export/far/pvc-4");

        assertThat(zfsCrashFixture.pool().roundTrips() - before)
                .as("a look below the other parents, and the making of a volume")
                .isEqualTo(2 * 2);
    }

    @Test
    void a_parent_that_was_mounted_elsewhere_meanwhile_changes_nothing_for_another() {
        create("pvc-1", "fast");
        create("pvc-2", "far");
        zfsCrashFixture.pool().mount("ssd/v", "/export/far");

        assertThat(create("pvc-3", "far").context()).containsEntry("share", "/export/far/pvc-3");
        int before = zfsCrashFixture.pool().roundTrips();
        assertThat(create("pvc-4", "fast").context()).containsEntry("share", "/tank/fast/pvc-4");

        assertThat(zfsCrashFixture.pool().roundTrips() - before).isEqualTo(2);
    }
}
