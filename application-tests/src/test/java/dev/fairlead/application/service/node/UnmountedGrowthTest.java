package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.ProtocolNode.DEVICE;
import static dev.fairlead.application.service.ProtocolNode.HANDLE;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.node.JournalReconciler.Finding;
import dev.fairlead.application.service.node.JournalReconciler.State;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a volume grows whose device must not grow below a mounted file system. */
class UnmountedGrowthTest {
    private static final long SIZE = 1L << 30;
    private static final CapacityRange MORE = CapacityRange.of(2 * SIZE, 0);
    private static final VolumeCapability XFS = new VolumeCapability(
            new VolumeCapability.Mount("xfs", List.of("noatime", "logbsize=64k")), AccessMode.SINGLE_NODE_WRITER);

    private static final Path RAW = STAGING.resolve("block_device");

    private final World world = new World();
    private final TestWork work = TestWork.patient();
    private final NodeUseCases node = world.open();

    private Optional<Capacity> grow(NodeUseCases process, Work its) {
        return process.growFilesystem().grow(HANDLE, STAGING, MORE, its);
    }

    private void staged() {
        ProtocolNode.stage(node, TARGET, XFS, work);
    }

    private void refused() {
        Failing.with(Failure.InUse.class, () -> grow(node, work));
    }

    private long size() {
        return World.size(world.node, work);
    }

    @Test
    void below_a_mount_it_is_refused_and_noted() {
        staged();
        ProtocolNode.publish(node, TARGET, XFS, work);
        String mounts = world.node.mounts.dump();

        Failure refused = Failing.failure(() -> grow(node, work));

        assertThat(refused).isInstanceOf(Failure.InUse.class);
        assertThat(refused.message()).contains("end all pods");
        assertThat(world.node.mounts.dump()).isEqualTo(mounts);
        assertThat(size()).isEqualTo(SIZE);
    }

    @Test
    void once_it_is_unstaged_it_grows_and_the_next_stage_has_the_new_size() {
        staged();
        refused();
        ProtocolNode.stage(world.open(), TARGET, XFS, work); // a kubelet that was restarted

        ProtocolNode.unstage(world.open(), work);

        assertThat(size()).isEqualTo(2 * SIZE);
        assertThat(world.node.journal.all()).isEmpty();
        staged();
        assertThat(world.node.filesystems.grownTo(DEVICE)).isEqualTo(2 * SIZE);
        assertThat(grow(node, work)).contains(Capacity.ofBytes(2 * SIZE));
    }

    @Test
    void what_the_storage_refuses_keeps_nobody_from_unstaging() {
        staged();
        refused();
        world.refusal = Optional.of(new Failure.OutOfSpace("the pool", ""));

        ProtocolNode.unstage(node, work);

        assertThat(size()).isEqualTo(SIZE);
        assertThat(world.node.journal.all()).isEmpty();
        assertThat(world.node.mounts.isDirectory(STAGING)).isFalse();
    }

    @Test
    void while_the_growth_may_be_under_way_it_is_asked_for_again() {
        staged();
        refused();
        world.refusal = Optional.of(new Failure.OperationPending("volume", "zfs set", Duration.ofMinutes(1), ""));
        Failing.with(Failure.OperationPending.class, () -> ProtocolNode.unstage(node, work));
        world.refusal = Optional.empty();

        ProtocolNode.unstage(world.open(), work);

        assertThat(size()).isEqualTo(2 * SIZE);
        assertThat(world.node.journal.all()).isEmpty();
    }

    @Test
    void a_stage_after_a_restart_of_the_node_that_fails_for_good_leaves_the_volume_to_grow() {
        staged();
        refused();
        world.node.mounts.unmount(STAGING, work);
        world.node.filesystems.damaged();

        Failure failure = Failing.failure(this::staged);

        assertThat(FinalCodes.isFinal(failure)).as(failure.message()).isTrue();
        assertThat(world.node.targets.dump()).isEmpty();
        assertThat(world.node.journal.all()).singleElement().matches(UnmountedGrowth::isWanted);
    }

    @Test
    void after_a_restart_of_the_node_it_grows_though_no_call_comes() {
        afterRestart();
        JournalReconciler reconciler = idle();
        assertThat(size()).isEqualTo(SIZE);

        assertThat(reconciler.look(work)).extracting(Finding::state).containsExactly(State.DETACHED);

        assertThat(size()).isEqualTo(2 * SIZE);
        assertThat(world.node.journal.all()).isEmpty();
        assertThat(reconciler.look(work)).isEmpty();
    }

    @Test
    void after_a_restart_of_the_node_the_storage_is_asked_until_it_tells_how_the_growth_ended() {
        afterRestart();
        JournalReconciler reconciler = idle();
        world.refusal = Optional.of(new Failure.BackendUnavailable("the pool", "it is suspended"));

        assertThat(reconciler.look(work)).extracting(Finding::state).containsExactly(State.STUCK);

        assertThat(world.node.targets.dump()).as("what is attached").isEmpty();
        assertThat(world.node.journal.all()).singleElement().matches(UnmountedGrowth::isWanted);
        world.refusal = Optional.empty();
        assertThat(reconciler.look(work)).extracting(Finding::state).containsExactly(State.DETACHED);
        assertThat(size()).isEqualTo(2 * SIZE);
    }

    @Test
    void a_volume_that_was_deleted_meanwhile_does_not_grow_and_its_entry_goes() {
        afterRestart();
        JournalReconciler reconciler = idle();
        world.refusal = Optional.of(new Failure.VolumeNotFound(HANDLE));

        assertThat(reconciler.look(work)).extracting(Finding::state).containsExactly(State.DETACHED);

        assertThat(size()).isEqualTo(SIZE);
        assertThat(world.node.journal.all()).isEmpty();
        assertThat(reconciler.look(work)).isEmpty();
    }

    @Test
    void a_storage_that_is_silent_when_a_look_detaches_is_given_up_and_asked_again_at_the_next() {
        afterRestart();
        JournalReconciler reconciler = idle();
        world.silent = true;

        assertThat(reconciler.look(work)).extracting(Finding::state).containsExactly(State.STUCK);

        assertThat(world.given).isEqualTo(JournalReconciler.GROWTH);
        assertThat(size()).isEqualTo(SIZE);
        world.silent = false;
        assertThat(reconciler.look(work)).extracting(Finding::state).containsExactly(State.DETACHED);
        assertThat(size()).isEqualTo(2 * SIZE);
    }

    /** Lets the node lose its power after a growth was asked for that has to wait, and forgets the volume's pods. */
    private void afterRestart() {
        staged();
        refused();
        world.node.mounts.unmount(STAGING, work);
    }

    private JournalReconciler idle() {
        JournalReconciler reconciler = world.node.reconciler(new KeyedLocks(SteppingClock.standing()));
        for (int look = 1; look < JournalReconciler.LOOKS; look++) {
            assertThat(reconciler.look(work)).extracting(Finding::state).containsExactly(State.IDLE);
        }
        return reconciler;
    }

    @Test
    void a_mount_that_this_process_does_not_see_keeps_it_from_growing() {
        staged();
        refused();
        world.node.filesystems.used();

        ProtocolNode.unstage(node, work);

        assertThat(size()).isEqualTo(SIZE);
        assertThat(world.node.journal.all()).isEmpty();
    }

    @Test
    void a_raw_device_grows_at_once() {
        ProtocolNode.stage(node, TARGET, TestVolumes.BLOCK, work);

        assertThat(grow(node, work)).contains(Capacity.ofBytes(2 * SIZE));
        assertThat(size()).isEqualTo(2 * SIZE);
        world.node.filesystems.used();
        assertThat(grow(node, work))
                .as("what has the size already is no growth")
                .contains(Capacity.ofBytes(2 * SIZE));
    }

    /** A privileged pod may put a file system on its raw device, and mount it. */
    @Test
    void a_raw_device_that_a_pod_has_mounted_is_left_as_it_is_until_it_is_unmounted() {
        ProtocolNode.stage(node, TARGET, TestVolumes.BLOCK, work);
        world.node.filesystems.used();
        Failure refused = Failing.failure(() -> grow(node, work));
        assertThat(refused).isInstanceOf(Failure.InUse.class);
        assertThat(refused.message()).contains("a mount of another namespace", "end all pods");
        assertThat(size()).isEqualTo(SIZE);
        world.node.filesystems.unused();
        assertThat(grow(world.open(), work)).contains(Capacity.ofBytes(2 * SIZE));
    }

    @Test
    void a_raw_device_that_a_pod_had_mounted_grows_once_it_is_unstaged() {
        ProtocolNode.stage(node, TARGET, TestVolumes.BLOCK, work);
        world.node.filesystems.used();
        refused();
        world.node.filesystems.unused();
        ProtocolNode.unstage(world.open(), work);
        assertThat(size()).isEqualTo(2 * SIZE);
        assertThat(world.node.journal.all()).isEmpty();
    }

    @Test
    void a_volume_that_is_wanted_larger_can_be_unstaged_whatever_is_cut() {
        CrashPoints<NodeUseCases> points = new CrashPoints<>(world);
        points.survive(CrashScenario.changing(
                "unstage",
                process -> {
                    ProtocolNode.stage(process, TARGET, XFS, work);
                    Failing.with(Failure.InUse.class, () -> grow(process, work));
                },
                ProtocolNode::unstage));
        assertThat(points.counts().getFirst().effects()).isEqualTo(5);
        assertThat(world.node.filesystems.dump()).contains(Long.toString(2 * SIZE));
    }

    /** A node whose storage is in its process. */
    private static final class World implements CrashFixture<NodeUseCases> {
        private ProtocolNode node = made();
        private Optional<Failure> refusal = Optional.empty();
        private boolean silent;
        private Duration given = Duration.ZERO;

        private ProtocolNode made() {
            ProtocolNode made = new ProtocolNode();
            made.targets.growUnmountedOnly();
            made.targets.linked(DEVICE);
            made.filesystems.blank(RAW, SIZE);
            made.growing((_, _, work) -> {
                boolean below = made.mounts
                        .at(STAGING, work)
                        .filter(_ -> size(made, work) < 2 * SIZE)
                        .isPresent();
                assertThat(below).as("it grows below a mount").isFalse();
                if (silent) {
                    given = work.left();
                    made.clock.advance(given);
                    work.checkCancelled();
                }
                refusal.ifPresent(it -> {
                    throw new StorageException(it);
                });
                if (size(made, work) < 2 * SIZE) {
                    work.effect(new Effect("zfs set", "one"), () -> resize(made));
                }
                return Optional.of(Capacity.ofBytes(size(made, work)));
            });
            return made;
        }

        private static void resize(ProtocolNode on) {
            on.filesystems.resized(DEVICE, 2 * SIZE);
            on.filesystems.resized(RAW, 2 * SIZE);
        }

        private static long size(ProtocolNode on, Work work) {
            return on.filesystems.size(DEVICE, work);
        }

        @Override
        public void reset() {
            node = made();
        }

        @Override
        public NodeUseCases open() {
            return node.process();
        }

        @Override
        public void close(NodeUseCases subject) {
            // the use cases hold nothing
        }

        @Override
        public String dump() {
            return node.dump();
        }
    }
}
