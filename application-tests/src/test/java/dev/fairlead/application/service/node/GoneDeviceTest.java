package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.ProtocolNode.HANDLE;
import static dev.fairlead.application.service.ProtocolNode.POD;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.node.JournalReconciler.Finding;
import dev.fairlead.application.service.node.JournalReconciler.State;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a node does with an attachment that the kernel tells nothing of, or nonsense, while pods may still use it. */
class GoneDeviceTest {
    private static final String IQN = ((Attachment.Iscsi) TARGET).iqn();

    private final ProtocolNode on = new ProtocolNode();
    private final KeyedLocks locks = new KeyedLocks(SteppingClock.standing());
    private final NodeUseCases node = on.process(locks);
    private final JournalReconciler reconciler = on.reconciler(locks);
    private final TestWork work = TestWork.patient();

    private List<State> states() {
        return reconciler.look(work).stream().map(Finding::state).toList();
    }

    private void staged(VolumeCapability capability) {
        ProtocolNode.stage(node, TARGET, capability, work);
        ProtocolNode.publish(node, TARGET, capability, work);
    }

    private void staysFor(int looks) {
        String before = on.dump();

        for (int look = 0; look < looks; look++) {
            assertThat(states()).containsExactly(State.STAGED);
        }

        assertThat(on.dump()).isEqualTo(before);
    }

    @Test
    void a_file_system_whose_device_is_gone_stays_while_it_is_mounted() {
        staged(TestVolumes.MOUNT);

        on.targets.removed(IQN);

        staysFor(2 * JournalReconciler.LOOKS);
        assertThat(on.journal.of(HANDLE)).isPresent();
    }

    @Test
    void a_raw_device_that_is_gone_stays_while_it_is_bound() {
        staged(TestVolumes.BLOCK);

        on.targets.removed(IQN);

        staysFor(2 * JournalReconciler.LOOKS);
        assertThat(on.journal.of(HANDLE)).isPresent();
    }

    @Test
    void what_is_unmounted_after_its_device_is_gone_is_let_go() {
        staged(TestVolumes.MOUNT);
        on.targets.removed(IQN);
        staysFor(2 * JournalReconciler.LOOKS);
        on.mounts.unmount(POD, work);
        on.mounts.unmount(STAGING, work);

        for (int look = 1; look < JournalReconciler.LOOKS; look++) {
            assertThat(states()).containsExactly(State.IDLE);
        }
        assertThat(states()).containsExactly(State.DETACHED);

        assertThat(on.journal.all()).isEmpty();
    }

    @Test
    void a_mount_of_another_volume_at_the_staging_path_keeps_no_attachment() {
        staged(TestVolumes.MOUNT);
        on.targets.removed(IQN);
        on.mounts.unmount(POD, work);
        on.mounts.unmount(STAGING, work);
        on.targets.login(FakeTargets.target("two").iqn());
        on.mounts.mount(Filesystem.of("ext4", FakeTargets.device("two").toString(), List.of()), STAGING, work);

        assertThat(states()).containsExactly(State.IDLE);
    }

    @Test
    void an_entry_that_cannot_be_looked_at_for_a_reason_nobody_foresaw_holds_up_no_other() {
        staged(TestVolumes.MOUNT);
        on.targets.failing(IQN, "UNFORESEEN");
        Attachment other = FakeTargets.target("two");
        on.journal.write(
                new StageJournal.Entry("v:nas/two", Path.of("/kubelet/2"), other, false, Map.of(), Optional.empty()),
                work);

        assertThat(reconciler.look(work))
                .extracting(Finding::state, Finding::subject)
                .containsExactlyInAnyOrder(tuple(State.STUCK, HANDLE), tuple(State.IDLE, "v:nas/two"));
        assertThat(reconciler.look(work))
                .filteredOn(it -> it.state() == State.STUCK)
                .singleElement()
                .satisfies(it -> assertThat(it.detail()).contains("a line that nobody foresaw about " + IQN));
        on.targets.recovered(IQN);
        assertThat(states()).containsExactlyInAnyOrder(State.STAGED, State.IDLE);
    }
}
