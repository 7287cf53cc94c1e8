package dev.fairlead.application.service.create;

import static dev.fairlead.application.service.ControllerFixture.command;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Volumes that begin with the content of a snapshot or of another volume. */
class CreateFromSourceTest {
    private static final Map<String, String> ON_NAS = Map.of("connection", "nas");

    private final InMemoryStorage nas = InMemoryStorage.named("nas");
    private final InMemoryStorage san = InMemoryStorage.named("san");
    private final ControllerFixture controller = ControllerFixture.proxy().with(nas, san);

    @AfterEach
    void close() {
        controller.close();
    }

    @Test
    void a_volume_takes_the_content_of_a_snapshot_and_at_least_its_size() {
        controller.create("pvc-1", "nas");
        nas.write(TestVolumes.id("pvc-1"), "file", "data");
        String snapshot = controller
                .useCases
                .takeSnapshot()
                .take(new CsiName("snap-1"), "v:nas/pvc-1", Map.of(), TestWork.patient())
                .handle();

        VolumeView restored = controller.create(from("pvc-2", CapacityRange.ANY, new Source.Snapshot(snapshot)));

        assertThat(restored.source()).isEqualTo(new Source.Snapshot(snapshot));
        assertThat(restored.capacity()).isEqualTo(TestVolumes.SIZE);
        assertThat(restored.context()).containsEntry("fairlead.dev/content", "snapshot");
        assertThat(nas.volume(TestVolumes.id("pvc-2")).files()).containsEntry("file", "data");
    }

    @Test
    void a_clone_may_be_larger_than_its_source_and_a_smaller_request_gets_the_sources_size() {
        controller.create("pvc-1", "nas");
        var source = new Source.Volume("v:nas/pvc-1");

        VolumeView larger = controller.create(from("pvc-2", CapacityRange.of(1L << 30, 0), source));
        VolumeView smaller = controller.create(from("pvc-3", CapacityRange.of(1, 0), source));

        assertThat(larger.capacity()).isEqualTo(Capacity.ofGibibytes(1));
        assertThat(smaller.capacity()).isEqualTo(TestVolumes.SIZE);
        assertThat(controller.create(from("pvc-3", CapacityRange.of(1, 0), source)))
                .isEqualTo(smaller);
    }

    @Test
    void a_volume_that_does_not_exist_is_not_found_as_its_own_source() {
        assertThat(Failing.failure(
                        () -> controller.create(from("pvc-1", CapacityRange.ANY, new Source.Volume("v:nas/pvc-1")))))
                .isEqualTo(new Failure.VolumeNotFound("v:nas/pvc-1"));
    }

    /** Otherwise a clone could be planned by the former size of its source, and lose the end of what it copies. */
    @Test
    void a_clone_is_no_smaller_than_its_source_however_often_that_is_expanded_meanwhile() {
        controller.create("pvc-1", "nas");
        AtomicLong size = new AtomicLong(TestVolumes.SIZE.bytes());
        AtomicBoolean expanding = new AtomicBoolean();
        nas.beforeEachCall(() -> {
            if (expanding.compareAndSet(false, true)) {
                CapacityRange larger = CapacityRange.of(size.addAndGet(1L << 20), 0);
                try {
                    controller.useCases.expandVolume().expand("v:nas/pvc-1", larger, TestWork.patient());
                } catch (StorageException pending) {
                    assertThat(pending.failure()).isInstanceOf(Failure.OperationPending.class);
                }
                expanding.set(false);
            }
        });

        VolumeView clone = controller.create(from("pvc-2", CapacityRange.ANY, new Source.Volume("v:nas/pvc-1")));
        nas.recover();

        assertThat(clone.capacity())
                .isGreaterThanOrEqualTo(
                        nas.volume(TestVolumes.id("pvc-1")).volume().capacity().orElseThrow());
    }

    @Test
    void a_limit_below_the_size_of_the_source_is_out_of_range_and_nothing_is_made() {
        controller.create("pvc-1", "nas");

        Failing.with(
                Failure.CapacityOutOfRange.class,
                () -> controller.create(from("pvc-2", CapacityRange.of(1, 1024), new Source.Volume("v:nas/pvc-1"))));
        assertThat(nas.volumes()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no-such", "v:nas/missing", "s:nas/pvc-1", "v:nas/.."})
    void a_source_volume_that_is_not_there_is_not_found(String handle) {
        controller.create("pvc-1", "nas");

        Failing.with(
                Failure.VolumeNotFound.class,
                () -> controller.create(from("pvc-2", CapacityRange.ANY, new Source.Volume(handle))));
        assertThat(nas.volumes()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no-such", "s:nas/missing", "v:nas/pvc-1"})
    void a_source_snapshot_that_is_not_there_is_not_found(String handle) {
        controller.create("pvc-1", "nas");

        Failing.with(
                Failure.SnapshotNotFound.class,
                () -> controller.create(from("pvc-2", CapacityRange.ANY, new Source.Snapshot(handle))));
        assertThat(nas.volumes()).hasSize(1);
    }

    @Test
    void a_finished_restore_is_found_again_after_its_source_has_gone() {
        controller.create("pvc-1", "nas");
        var source = new Source.Volume("v:nas/pvc-1");
        VolumeView clone = controller.create(from("pvc-2", CapacityRange.ANY, source));
        controller.useCases.deleteVolume().delete("v:nas/pvc-1", TestWork.patient());

        assertThat(controller.create(from("pvc-2", CapacityRange.ANY, source))).isEqualTo(clone);
    }

    @Test
    void the_same_name_with_another_source_is_a_conflict() {
        controller.create("pvc-1", "nas");
        controller.create("pvc-2", "nas");

        Failing.with(
                Failure.VolumeConflict.class,
                () -> controller.create(from("pvc-2", CapacityRange.ANY, new Source.Volume("v:nas/pvc-1"))));
        Failing.with(
                Failure.VolumeConflict.class,
                () -> controller.create(from("pvc-1", CapacityRange.ANY, new Source.Volume("v:nas/pvc-1"))));
    }

    @Test
    void content_does_not_leave_its_connection() {
        controller.create("pvc-1", "san");

        Failing.with(
                Failure.Unsupported.class,
                () -> controller.create(from("pvc-2", CapacityRange.ANY, new Source.Volume("v:san/pvc-1"))));
        assertThat(nas.isEmpty()).isTrue();
    }

    private static CreateVolume.Command from(String name, CapacityRange capacity, Source source) {
        return command(name, ON_NAS, capacity, source);
    }
}
