package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.ProtocolNode.DEVICE;
import static dev.fairlead.application.service.ProtocolNode.HANDLE;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.node.JournalReconciler.Finding;
import dev.fairlead.application.service.node.JournalReconciler.State;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a node does with attachments that calls which were cut have left, and what it leaves alone. */
class JournalReconcilerTest {
    private static final String DRIVER = "test.fairlead.dev";

    private final ProtocolNode on = new ProtocolNode();
    private final KeyedLocks locks = new KeyedLocks(SteppingClock.standing());
    private final NodeUseCases node = on.process(locks);
    private final JournalReconciler reconciler = on.reconciler(locks);
    private final TestWork work = TestWork.patient();

    private List<State> states() {
        return reconciler.look(work).stream().map(Finding::state).toList();
    }

    private List<State> statesAfterLong() {
        for (int look = 1; look < JournalReconciler.LOOKS; look++) {
            assertThat(states()).containsOnly(State.IDLE);
        }
        return states();
    }

    /** Stages until the effect that has this number, and dies. */
    private void stageCutAfter(int effects) {
        stageCutAfter(effects, TARGET);
    }

    private void stageCutAfter(int effects, Attachment attachment) {
        Failing.works(() -> ProtocolNode.stage(
                on.process(), attachment, TestVolumes.MOUNT, TestWork.patient().cancelledAfter(effects)));
    }

    @Test
    void what_a_stage_that_was_cut_has_attached_is_detached_once_nobody_repeats_it() {
        stageCutAfter(3);
        assertThat(on.targets.dump()).contains("session");

        assertThat(statesAfterLong()).containsExactly(State.DETACHED);

        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.all()).isEmpty();
        assertThat(states()).isEmpty();
    }

    @Test
    void what_is_mounted_stays_however_long_it_is() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        String before = on.dump();

        for (int look = 0; look < 3 * JournalReconciler.LOOKS; look++) {
            assertThat(states()).containsExactly(State.STAGED);
        }

        assertThat(on.dump()).isEqualTo(before);
    }

    @Test
    void ways_are_tried_of_what_is_mounted_and_of_nothing_else() {
        Attachment.Iscsi one = FakeTargets.target("one");
        Attachment byTwo = new Attachment.Iscsi(one.portal(), List.of("10.0.0.2:3260"), "", one.iqn(), one.lun());
        stageCutAfter(3, byTwo);
        assertThat(states()).containsExactly(State.IDLE);
        assertThat(on.targets.restored()).isEmpty();
        ProtocolNode.stage(node, byTwo, TestVolumes.MOUNT, work);

        assertThat(reconciler.look(work)).extracting(Finding::detail).containsExactly("mounted, by 1 of 2 ways");

        assertThat(on.targets.restored()).singleElement().asString().contains("one {", "session=1");
    }

    @Test
    void one_mount_is_asked_of_each_volume_that_is_staged_however_many_there_are() {
        for (int other = 0; other < 10; other++) {
            Path place = Path.of("/other", String.valueOf(other));
            on.mounts.existing(place);
            on.mounts.mount(Filesystem.of("ext4", "/dev/other", List.of()), place, work);
        }
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        int before = on.targets.asked();

        assertThat(states()).containsExactly(State.STAGED);

        assertThat(on.targets.asked() - before).isEqualTo(1);
    }

    @Test
    void a_raw_device_that_a_pod_has_stays_though_its_staging_is_gone() {
        ProtocolNode.stage(node, TARGET, TestVolumes.BLOCK, work);
        ProtocolNode.publish(node, TARGET, TestVolumes.BLOCK, work);
        on.mounts.unmount(STAGING.resolve("block_device"), work);

        for (int look = 0; look < 2 * JournalReconciler.LOOKS; look++) {
            assertThat(states()).containsExactly(State.STAGED);
        }
    }

    @Test
    void a_stage_that_is_repeated_meanwhile_starts_the_wait_anew() {
        stageCutAfter(3);
        assertThat(states()).containsExactly(State.IDLE);
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        assertThat(states()).containsExactly(State.STAGED);
        on.mounts.unmount(STAGING, work);

        assertThat(statesAfterLong()).containsExactly(State.DETACHED);
    }

    @Test
    void a_volume_at_which_a_call_is_at_work_is_left_alone() {
        stageCutAfter(3);
        locks.usingAttachment(HANDLE, work, () -> assertThat(statesAfterLong()).containsExactly(State.IDLE));

        assertThat(on.targets.dump()).contains("session");
        assertThat(statesAfterLong()).containsExactly(State.DETACHED);
    }

    @Test
    void the_entry_of_a_format_that_was_cut_outlives_the_session() {
        stageCutAfter(5);
        assertThat(on.journal
                        .of(HANDLE)
                        .orElseThrow()
                        .filesystem()
                        .orElseThrow()
                        .finished())
                .isFalse();

        assertThat(statesAfterLong()).containsExactly(State.UNFINISHED);

        assertThat(on.targets.dump()).isEmpty();
        assertThat(states()).containsExactly(State.UNFINISHED);
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        assertThat(states()).containsExactly(State.STAGED);
    }

    @Test
    void a_format_that_was_cut_is_given_up_a_day_after_it_was_asked_for_last() {
        stageCutAfter(5);
        assertThat(statesAfterLong()).containsExactly(State.UNFINISHED);
        on.clock.advance(JournalReconciler.GIVEN_UP);
        assertThat(states()).containsExactly(State.UNFINISHED);

        on.clock.advance(Duration.ofSeconds(1));

        assertThat(states()).containsExactly(State.DROPPED);
        assertThat(on.journal.all()).isEmpty();
        assertThat(on.targets.dump()).isEmpty();
        assertThat(states()).isEmpty();
        on.filesystems.noise(DEVICE, 1L << 30);
        Failing.with(Failure.FormatRefused.class, () -> ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work));
        assertThat(on.filesystems.formats()).isEmpty();
    }

    @Test
    void a_call_that_asks_for_it_keeps_the_entry_of_a_format_that_was_cut_and_what_it_attached_goes_again() {
        stageCutAfter(5);
        assertThat(statesAfterLong()).containsExactly(State.UNFINISHED);
        on.clock.advance(JournalReconciler.GIVEN_UP);

        stageCutAfter(1);
        on.clock.advance(Duration.ofHours(1));

        assertThat(statesAfterLong()).containsExactly(State.UNFINISHED);
        stageCutAfter(2);
        assertThat(on.targets.dump()).contains("session");
        assertThat(statesAfterLong()).containsExactly(State.UNFINISHED);
        assertThat(on.targets.dump()).isEmpty();
    }

    @Test
    void an_entry_that_cannot_be_read_is_told_and_kept_whatever_else_there_is() {
        stageCutAfter(3);
        on.journal.spoil("v:nas/other");

        assertThat(reconciler.look(work))
                .extracting(Finding::state, Finding::subject)
                .containsExactlyInAnyOrder(
                        tuple(State.IDLE, HANDLE), tuple(State.UNREADABLE, "the entry of v:nas/other"));
        on.journal.spoil(HANDLE);
        String before = on.dump();

        for (int look = 0; look < 2 * JournalReconciler.LOOKS; look++) {
            assertThat(states()).containsExactly(State.UNREADABLE, State.UNREADABLE);
        }

        assertThat(on.dump()).isEqualTo(before);
    }

    @Test
    void what_no_attacher_is_for_is_told_and_kept() {
        Attachment other = new Attachment.Nvmeof("tcp://10.0.0.1:4420", List.of(), "nqn.2026-01.org.example:one", 1);
        on.journal.write(new StageJournal.Entry("v:nas/x", STAGING, other, true, Map.of(), Optional.empty()), work);

        assertThat(states()).containsExactly(State.UNKNOWN);
        assertThat(on.journal.all()).hasSize(1);
    }

    @Test
    void a_mount_at_a_staging_path_that_the_journal_does_not_have_is_told_and_kept() {
        Path staging = Path.of("/var/lib/kubelet/plugins/kubernetes.io/csi", DRIVER, "ab".repeat(32), "globalmount");
        on.targets.login(((Attachment.Iscsi) TARGET).iqn());
        on.filesystems.written(DEVICE, 1L << 30, Kind.FILESYSTEM, "ext4");
        on.mounts.existing(staging);
        on.mounts.mount(Filesystem.of("ext4", DEVICE.toString(), List.of()), staging, work);
        String before = on.dump();

        assertThat(reconciler.look(work))
                .singleElement()
                .extracting(Finding::state, Finding::subject)
                .containsExactly(State.UNRECORDED, staging.toString());
        assertThat(on.dump()).isEqualTo(before);
    }

    @Test
    void a_detachment_that_is_cut_is_finished_by_a_later_look() {
        World world = new World();
        CrashPoints<JournalReconciler> points = new CrashPoints<>(world);

        points.survive(CrashScenario.changing("reconcile", _ -> world.leave(), World::longLook));

        assertThat(points.counts())
                .singleElement()
                .satisfies(it -> assertThat(it.effects()).isEqualTo(2));
        assertThat(world.dump()).doesNotContain("session").doesNotContain("journal");
    }

    private static final class World implements CrashFixture<JournalReconciler> {
        private ProtocolNode node = new ProtocolNode();

        void leave() {
            Failing.works(() -> ProtocolNode.stage(
                    node.process(),
                    TARGET,
                    TestVolumes.MOUNT,
                    TestWork.patient().cancelledAfter(3)));
        }

        static Object longLook(JournalReconciler subject, Work work) {
            for (int look = 0; look <= JournalReconciler.LOOKS; look++) {
                subject.look(work).stream()
                        .filter(it -> it.state() == State.STUCK)
                        .findFirst()
                        .ifPresent(it -> {
                            work.checkCancelled();
                            throw new StorageException(new Failure.NodeFault("reconciling", it.detail()));
                        });
            }
            return true;
        }

        @Override
        public void reset() {
            node = new ProtocolNode();
        }

        @Override
        public JournalReconciler open() {
            return node.reconciler(new KeyedLocks(SteppingClock.standing()));
        }

        @Override
        public void close(JournalReconciler subject) {
            // it holds nothing that outlives it
        }

        @Override
        public String dump() {
            return node.dump();
        }
    }
}
