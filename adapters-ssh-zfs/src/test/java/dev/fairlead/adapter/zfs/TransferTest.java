package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Volumes that are made of content of another connection, through use cases and stores, over two pools in memory. */
class TransferTest extends TransferFixture {
    @Test
    void a_snapshot_of_another_connection_is_restored_with_its_content() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            east().files(FROM).put("file-0", "written since");

            VolumeView volume = restore(fixture, SNAPSHOT);

            assertThat(west().files(TO)).hasSize(20).containsEntry("file-0", "precious 0");
            assertThat(volume.handle()).isEqualTo("v:west/pvc-2");
            assertThat(volume.source()).isEqualTo(SNAPSHOT);
            assertThat(volume.context())
                    .containsEntry("fairlead.dev/content", "snapshot")
                    .containsEntry("share", "/tank/v/pvc-2");
            noHold();
            assertThat(west().names()).noneMatch(name -> name.contains("@"));
        }
    }

    @Test
    void what_is_kept_of_the_source_says_nothing_untrue_to_the_peer() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);

            restore(fixture, VOLUME);

            assertThat(west().own(TO))
                    .containsEntry("dev.fairlead:source", "volume v:east/pvc-1")
                    .containsEntry("dev.fairlead:state", "whole")
                    .containsEntry("democratic-csi:provision_success", "true")
                    .doesNotContainKeys(
                            "democratic-csi:csi_volume_content_source_type",
                            "democratic-csi:csi_volume_content_source_id");
            assertThat(west().own(TO).get("refquota"))
                    .isEqualTo(east().own(FROM).get("refquota"));
        }
    }

    @Test
    void a_clone_of_a_detached_snapshot_goes_the_same_way() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            String copy = fixture.useCases()
                    .takeSnapshot()
                    .take(
                            new CsiName("snap-2"),
                            "v:east/pvc-1",
                            Map.of("detachedSnapshots", "true"),
                            TestWork.patient())
                    .handle();

            restore(fixture, new Source.Snapshot(copy));

            assertThat(west().files(TO)).hasSize(20);
            noHold();
        }
    }

    @Test
    void a_repeated_call_answers_the_same_and_moves_nothing() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            VolumeView first = restore(fixture, SNAPSHOT);
            String before = world().dump();
            long sends = sends("send", "tank/v/pvc-1@snap-1");
            east().remove("tank/v/pvc-1@snap-1");

            VolumeView again = restore(fixture, SNAPSHOT);

            assertThat(again).isEqualTo(first);
            assertThat(sends("send", "tank/v/pvc-1@snap-1")).isEqualTo(sends);
            assertThat(world().dump().lines().filter(line -> !line.startsWith("tank/v/pvc-1@")))
                    .containsExactlyElementsOf(before.lines()
                            .filter(line -> !line.startsWith("tank/v/pvc-1@"))
                            .toList());
        }
    }

    @Test
    void another_source_under_the_same_name_is_a_conflict() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            restore(fixture, SNAPSHOT);

            Failing.with(Failure.VolumeConflict.class, () -> restore(fixture, VOLUME));
            Failing.with(Failure.VolumeConflict.class, () -> fixture.make("pvc-2", "west"));
        }
    }

    @Test
    void a_class_that_allows_the_connection_of_the_source_makes_a_clone_there() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);

            VolumeView volume = fixture.make("pvc-2", "west,east", SNAPSHOT, TestWork.patient());

            assertThat(volume.handle()).isEqualTo("v:east/pvc-2");
            assertThat(sends("send")).isZero();
        }
    }

    @Test
    void a_filesystem_never_becomes_a_block_device() {
        TransferCrashFixture mixed =
                TransferCrashFixture.of(Map.of("east", "zfs-generic-nfs", "west", "zfs-local-zvol"), 16);
        try (TransferControllerFixture fixture = mixed.open()) {
            fixture.make("pvc-1", "east");
            String before = mixed.dump();

            Failing.with(Failure.Unsupported.class, () -> restore(fixture, VOLUME));

            assertThat(mixed.dump()).isEqualTo(before);
        }
    }

    @Test
    void a_second_caller_is_told_how_far_it_has_come() throws Exception {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            var reached = new CountDownLatch(1);
            var goOn = new CountDownLatch(1);
            east().beforeSending(() -> {
                reached.countDown();
                await(goOn);
            });
            AtomicReference<String> said = new AtomicReference<>("");

            Concurrently.run(List.of(() -> restore(fixture, SNAPSHOT), () -> {
                await(reached);
                try {
                    restore(fixture, SNAPSHOT);
                } catch (StorageException e) {
                    assertThat(e.failure()).isInstanceOf(Failure.OperationPending.class);
                    said.set(e.failure().message());
                } finally {
                    goOn.countDown();
                }
            }));

            assertThat(said.get()).contains("transfer of s:east/pvc-1@snap-1 to connection west: 0 of ");
            assertThat(west().files(TO)).hasSize(20);
        }
    }

    /** Other volumes of both connections, the source included, are served meanwhile. */
    @Test
    void nothing_else_waits_for_a_transfer() {
        TransferCrashFixture narrow =
                TransferCrashFixture.of(Map.of("east", "zfs-generic-nfs", "west", "zfs-generic-nfs"), 2);
        try (TransferControllerFixture fixture = narrow.open()) {
            fixture.make("pvc-1", "east");
            AtomicReference<List<String>> made = new AtomicReference<>(List.of());
            narrow.pool("east")
                    .beforeSending(() -> made.set(List.of(
                            fixture.make("pvc-3", "east").handle(),
                            fixture.make("pvc-4", "west").handle(),
                            fixture.snapshot("snap-1", "v:east/pvc-1"))));

            restore(fixture, VOLUME);

            assertThat(made.get()).containsExactly("v:east/pvc-3", "v:west/pvc-4", "s:east/pvc-1@snap-1");
        }
    }

    @Test
    void two_transfers_towards_each_other_do_not_wait_for_each_other() {
        TransferCrashFixture narrow =
                TransferCrashFixture.of(Map.of("east", "zfs-generic-nfs", "west", "zfs-generic-nfs"), 1);
        try (TransferControllerFixture fixture = narrow.open()) {
            fixture.make("pvc-1", "east");
            fixture.make("pvc-5", "west");
            narrow.pool("east")
                    .beforeSending(() -> Failing.with(
                            Failure.BackendUnavailable.class,
                            () -> fixture.make(
                                    "pvc-6", "east", new Source.Volume("v:west/pvc-5"), TestWork.patient())));

            restore(fixture, VOLUME);
            fixture.make("pvc-6", "east", new Source.Volume("v:west/pvc-5"), TestWork.patient());

            assertThat(narrow.pool("east").names()).contains("tank/v/pvc-6");
        }
    }

    @Test
    void a_pool_that_is_full_is_said_so_and_nothing_is_left() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            west().refuse("receive", "cannot receive new filesystem stream: out of space");

            Failing.with(Failure.OutOfSpace.class, () -> restore(fixture, VOLUME));

            nothingIsLeft();
        }
    }

    @Test
    void what_has_come_whole_is_kept_where_it_cannot_be_given_its_size_for_the_moment() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            west().refuse("set", "cannot set property for '" + TO + "': size is greater than available space");

            Failing.with(Failure.BackendUnavailable.class, () -> restore(fixture, SNAPSHOT));
            west().refuse("set", "");
            long sends = sends("send", "tank/v/pvc-1@snap-1");

            restore(fixture, SNAPSHOT);

            assertThat(sends("send", "tank/v/pvc-1@snap-1")).isEqualTo(sends);
            assertThat(west().files(TO)).hasSize(20);
            noHold();
        }
    }

    @Test
    void a_source_that_refuses_is_named_and_nothing_is_left() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            east().refuse("send", "cannot send 'tank/v/pvc-1': permission denied");

            Failing.with(Failure.BackendRejected.class, () -> restore(fixture, VOLUME));

            nothingIsLeft();
        }
    }

    @Test
    void a_source_connection_that_is_not_loaded_is_named() {
        try (TransferControllerFixture fixture = world().open()) {
            Failing.with(
                    Failure.ConnectionUnknown.class, () -> restore(fixture, new Source.Snapshot("s:north/pvc-1@s")));
            Failing.with(
                    Failure.SnapshotNotFound.class,
                    () -> restore(fixture, new Source.Snapshot("s:east/pvc-1@'$(id)'")));

            nothingIsLeft();
        }
    }

    @Test
    void a_dataset_that_is_not_ours_is_left_alone() {
        try (TransferControllerFixture fixture = world().open()) {
            given(fixture);
            west().put(TO, "filesystem", Map.of());

            Failing.with(Failure.NotOurs.class, () -> restore(fixture, VOLUME));

            assertThat(west().own(TO)).isEmpty();
            noHold();
        }
    }
}
