package dev.fairlead.application.service.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.list.ListSnapshots;
import dev.fairlead.application.port.in.snapshot.GroupView;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups of snapshots through the use cases: who may be in one, and what a handle of one is good for. */
class GroupSnapshotsTest {
    private static final List<String> BOTH = List.of("v:nas/pvc-1", "v:nas/pvc-2");

    private final InMemoryStorage nas = InMemoryStorage.named("nas");
    private final InMemoryStorage san = InMemoryStorage.named("san");
    private final InMemoryStorage rigid = InMemoryStorage.named("rigid").rigid();
    private final ControllerFixture controller = ControllerFixture.proxy().with(nas, san, rigid);

    @BeforeEach
    void volumes() {
        for (String connection : List.of("nas", "san", "rigid")) {
            controller.create("pvc-1", connection).handle();
        }
        controller.create("pvc-2", "nas");
        controller.create("pvc-3", "nas");
    }

    @AfterEach
    void close() {
        controller.close();
    }

    private GroupView take(String name, List<String> sources) {
        return take(name, sources, Map.of());
    }

    private GroupView take(String name, List<String> sources, Map<String, String> parameters) {
        return controller.useCases.groups().take().take(new CsiName(name), sources, parameters, TestWork.patient());
    }

    private GroupView get(String handle, List<String> snapshots) {
        return controller.useCases.groups().get().get(handle, snapshots, TestWork.patient());
    }

    private void delete(String handle, List<String> snapshots) {
        controller.useCases.groups().delete().delete(handle, snapshots, TestWork.patient());
    }

    private static List<String> handles(GroupView group) {
        return group.snapshots().stream().map(SnapshotView::handle).toList();
    }

    @Test
    void a_group_has_a_handle_and_its_snapshots_say_it_wherever_they_are_seen() {
        GroupView group = take("group-1", BOTH);

        assertThat(group.handle()).isEqualTo("g:nas/group-1");
        assertThat(group.snapshots()).extracting(SnapshotView::sourceVolume).containsExactlyInAnyOrderElementsOf(BOTH);
        assertThat(group.snapshots()).extracting(SnapshotView::group).containsOnly(Optional.of(group.handle()));
        assertThat(get(group.handle(), List.of())).isEqualTo(group);
        assertThat(get(group.handle(), handles(group).reversed())).isEqualTo(group);
        assertThat(controller
                        .useCases
                        .listSnapshots()
                        .list(
                                new ListSnapshots.Query(Optional.empty(), Optional.empty(), Optional.empty(), 0),
                                TestWork.patient())
                        .items())
                .containsExactlyInAnyOrderElementsOf(group.snapshots());
        for (SnapshotView snapshot : group.snapshots()) {
            assertThat(controller.useCases.getSnapshot().get(snapshot.handle(), TestWork.patient()))
                    .isEqualTo(snapshot);
        }
    }

    @Test
    void a_driver_that_is_alone_has_bare_handles() {
        try (ControllerFixture alone = ControllerFixture.alone(InMemoryStorage.named("default"))) {
            alone.create("pvc-1", Map.of());

            GroupView group = alone.useCases
                    .groups()
                    .take()
                    .take(new CsiName("group-1"), List.of("pvc-1"), Map.of(), TestWork.patient());

            assertThat(group.handle()).isEqualTo("group-1");
        }
    }

    @Test
    void a_repeated_call_gets_the_same_group_and_another_one_a_conflict() {
        GroupView group = take("group-1", BOTH);

        assertThat(take("group-1", BOTH.reversed())).isEqualTo(group);
        assertThatThrownBy(() -> take("group-1", List.of("v:nas/pvc-1", "v:nas/pvc-3")))
                .hasMessageContaining("group snapshot g:nas/group-1 exists and differs: it is of other volumes");
        Failing.with(Failure.GroupConflict.class, () -> take("group-1", List.of("v:nas/pvc-1")));
        Failing.with(Failure.GroupConflict.class, () -> take("group-1", BOTH, Map.of("tier", "gold")));
        Failing.with(Failure.GroupConflict.class, () -> take("group-1", List.of("v:san/pvc-1")));

        assertThat(nas.snapshots()).hasSize(2);
        assertThat(san.snapshots()).isEmpty();
    }

    @Test
    void a_group_that_lost_a_snapshot_is_not_the_one_that_is_asked_for() {
        GroupView group = take("group-1", BOTH);
        nas.lose(nas.snapshots().firstKey());

        assertThatThrownBy(() -> take("group-1", BOTH)).hasMessageContaining("not all of its snapshots are there");
        Failing.with(Failure.InvalidRequest.class, () -> get(group.handle(), handles(group)));
        delete(group.handle(), handles(group));

        assertThat(nas.snapshots()).isEmpty();
    }

    @Test
    void volumes_that_have_no_instant_in_common_are_refused_with_nothing_taken() {
        assertThatThrownBy(() -> take("group-1", List.of("v:nas/pvc-1", "v:san/pvc-1")))
                .hasMessageContaining("connections [nas, san], which have no instant in common");
        assertThatThrownBy(() -> take("group-1", List.of("v:rigid/pvc-1")))
                .hasMessageContaining("connection rigid, of driver memory, cannot take snapshots of several volumes");
        Failing.with(Failure.InvalidRequest.class, () -> take("group-1", List.of()));
        Failing.with(Failure.InvalidRequest.class, () -> take("group-1", List.of("v:nas/pvc-1", "v:nas/pvc-1")));
        Failing.with(Failure.VolumeNotFound.class, () -> take("group-1", List.of("v:nas/pvc-1", "v:nas/absent")));
        Failing.with(Failure.VolumeNotFound.class, () -> take("group-1", List.of("v:nas/pvc-1", "not ours")));
        Failing.with(Failure.ConnectionUnknown.class, () -> take("group-1", List.of("v:gone/pvc-1")));

        assertThat(nas.snapshots()).isEmpty();
    }

    @Test
    void a_snapshot_of_a_group_is_not_deleted_alone() {
        GroupView group = take("group-1", BOTH);

        for (String handle : handles(group)) {
            Failing.with(
                    Failure.GroupMember.class,
                    () -> controller.useCases.deleteSnapshot().delete(handle, TestWork.patient()));
        }

        assertThat(get(group.handle(), List.of())).isEqualTo(group);
    }

    @Test
    void a_deleted_group_is_gone_with_all_its_snapshots() {
        GroupView group = take("group-1", BOTH);

        delete(group.handle(), handles(group));
        delete(group.handle(), handles(group));
        delete("g:nas/absent", List.of("s:nas/absent"));
        delete("g:rigid/absent", List.of());
        delete("not ours", List.of());

        assertThat(nas.snapshots()).isEmpty();
        Failing.with(Failure.GroupNotFound.class, () -> get(group.handle(), List.of()));
        Failing.with(Failure.GroupNotFound.class, () -> get("g:rigid/absent", List.of()));
        Failing.with(Failure.GroupNotFound.class, () -> get("not ours", List.of()));
    }

    /** The storage may find none of a group's snapshots because the place of one is away, which only their ids tell. */
    @Test
    void a_group_is_not_gone_while_a_listed_snapshot_is_out_of_reach() {
        GroupView group = take("group-1", BOTH);
        List<String> snapshots = handles(group);
        delete(group.handle(), snapshots);
        AtomicInteger calls = new AtomicInteger();
        nas.beforeEachCall(() -> {
            if (calls.incrementAndGet() > 1) {
                throw new StorageException(new Failure.BackendUnavailable("nas", "the parent above it is away"));
            }
        });

        Failing.with(Failure.BackendUnavailable.class, () -> delete(group.handle(), snapshots));
    }

    @Test
    void a_list_of_snapshots_that_is_not_the_group_is_refused() {
        GroupView group = take("group-1", BOTH);
        String alone = controller
                .useCases
                .takeSnapshot()
                .take(new CsiName("snap-1"), "v:nas/pvc-3", Map.of(), TestWork.patient())
                .handle();
        List<String> first = handles(group).subList(0, 1);
        List<String> more = List.of(handles(group).get(0), handles(group).get(1), alone);
        List<String> elsewhere = List.of(handles(group).get(0), handles(group).get(1), "s:san/x");

        for (List<String> wrong : List.of(first, more, elsewhere)) {
            Failing.with(Failure.InvalidRequest.class, () -> delete(group.handle(), wrong));
            Failing.with(Failure.InvalidRequest.class, () -> get(group.handle(), wrong));
        }

        assertThat(nas.snapshots()).hasSize(3);
    }

    @Test
    void a_deletion_that_was_cut_is_finished_with_the_same_list() {
        GroupView group = take("group-1", BOTH);
        nas.lose(nas.snapshots().lastKey());

        delete(group.handle(), handles(group));

        assertThat(nas.snapshots()).isEmpty();
    }

    @Test
    void volumes_of_a_group_are_shared_with_others_that_share_and_its_name_is_not() {
        nas.beforeEachCall(() -> {
            nas.recover();
            Failing.with(Failure.OperationPending.class, () -> take("group-1", BOTH));
            Failing.with(
                    Failure.OperationPending.class,
                    () -> controller.useCases.deleteVolume().delete("v:nas/pvc-2", TestWork.patient()));
            take("group-2", BOTH);
        });

        take("group-1", BOTH);

        assertThat(nas.snapshots()).hasSize(4);
    }

    @Test
    void a_group_that_is_restored_from_stays_for_that_long() {
        GroupView group = take("group-1", BOTH);
        String handle = handles(group).getFirst();

        // The source is looked for before it is locked, so the third look is the first under its lock.
        AtomicInteger looks = new AtomicInteger();
        nas.beforeEachCall(() -> {
            if (looks.incrementAndGet() == 3) {
                nas.recover();
                Failing.with(Failure.OperationPending.class, () -> delete(group.handle(), List.of()));
            }
        });
        controller.create(ControllerFixture.command(
                "pvc-9", Map.of("connection", "nas"), CapacityRange.ANY, new Source.Snapshot(handle)));

        assertThat(looks).hasValue(3);
        assertThat(nas.snapshots()).hasSize(2);
    }
}
