package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.ProtocolNode.DEVICE;
import static dev.fairlead.application.service.ProtocolNode.HANDLE;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node does whose own disk has no room for the journal. */
class FullNodeDiskTest {
    private final ProtocolNode on = new ProtocolNode();
    private final NodeUseCases node = on.process();
    private final TestWork work = TestWork.patient();

    @Test
    void nothing_is_attached_that_the_journal_cannot_note_and_the_repeated_call_goes_on() {
        on.filesystems.blank(DEVICE, 1L << 30);
        on.journal.fill();

        Failure failure = Failing.failure(() -> ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work));

        assertThat(failure).isInstanceOf(Failure.NodeDiskUnusable.class);
        assertThat(FinalCodes.isFinal(failure)).isFalse();
        assertThat(on.targets.dump()).isEmpty();
        on.journal.makeRoom();
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        assertThat(on.mounts.at(STAGING, work)).isPresent();
    }

    @Test
    void a_volume_of_the_journal_is_unstaged() {
        on.filesystems.blank(DEVICE, 1L << 30);
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        on.journal.fill();

        ProtocolNode.unstage(node, work);

        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.of(HANDLE)).isEmpty();
    }

    @Test
    void a_volume_of_the_journal_is_staged_after_a_restart_of_the_node() {
        on.filesystems.blank(DEVICE, 1L << 30);
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        on.mounts.unmount(STAGING, work);
        on.journal.fill();

        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);

        assertThat(on.mounts.at(STAGING, work)).isPresent();
    }

    @Test
    void a_volume_that_another_driver_staged_is_unstaged_though_it_cannot_be_noted() {
        on.targets.login(((Attachment.Iscsi) TARGET).iqn());
        on.mounts.existing(STAGING);
        on.mounts.mount(Filesystem.of("ext4", DEVICE.toString(), List.of("rw")), STAGING, work);
        on.journal.fill();

        ProtocolNode.unstage(node, work);

        assertThat(on.mounts.at(STAGING, work)).isEmpty();
        assertThat(on.targets.dump()).isEmpty();
    }

    @Test
    void what_could_not_be_noted_and_not_be_detached_at_once_is_detached_by_the_repeated_call() {
        on.targets.login(((Attachment.Iscsi) TARGET).iqn());
        on.mounts.existing(STAGING);
        on.mounts.mount(Filesystem.of("ext4", DEVICE.toString(), List.of("rw")), STAGING, work);
        on.journal.fill();
        on.targets.held();
        assertThat(Failing.failure(() -> ProtocolNode.unstage(node, work))).isInstanceOf(Failure.InUse.class);
        assertThat(on.targets.dump()).contains("session");
        on.targets.released();

        ProtocolNode.unstage(node, work);

        assertThat(on.targets.dump()).isEmpty();
    }
}
