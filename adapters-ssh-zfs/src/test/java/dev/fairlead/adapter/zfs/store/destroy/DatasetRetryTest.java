package dev.fairlead.adapter.zfs.store.destroy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.store.ZfsFixture;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A file server keeps a dataset in use for a moment after its last client has gone. */
class DatasetRetryTest {
    private static final NativeId ID = new NativeId("pvc-1");
    private static final String NAME = "tank/v/pvc-1";

    private final ZfsFixture fixture =
            new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/v"));
    private final VolumeStore store = fixture.open();

    @Test
    void a_dataset_that_is_let_go_in_time_is_destroyed() {
        create();
        fixture.pool().busy(NAME, 3);

        delete(TestWork.patient());

        fixture.verifyEmpty();
    }

    @Test
    void one_that_stays_in_use_is_there_for_the_next_attempt() {
        create();
        fixture.pool().busy(NAME);
        TestWork work = TestWork.patient().left(Duration.ofMillis(100));
        Failing.with(Failure.BackendUnavailable.class, () -> delete(work));

        assertThat(store.find(ID, TestWork.patient())).isPresent();
    }

    /** Its name was free for a moment, and another call has made a volume of it. */
    @Test
    void one_that_took_its_place_meanwhile_stays() {
        create();
        fixture.pool().busy(NAME, 2);
        fixture.pool().afterSteps(5, () -> {
            fixture.pool().play(List.of("zfs", "destroy", "-f", NAME));
            create();
        });

        Failing.with(Failure.BackendUnavailable.class, () -> delete(TestWork.patient()));

        assertThat(store.find(ID, TestWork.patient())).isPresent();
    }

    private void create() {
        store.create(store.plan(TestVolumes.empty("pvc-1"), ID), TestWork.patient());
    }

    private void delete(TestWork work) {
        store.delete(ID, OnDependents.REFUSE, work);
    }
}
