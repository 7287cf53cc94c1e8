package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.ProtocolNode.DEVICE;
import static dev.fairlead.application.service.ProtocolNode.SHARE;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a stage answers that failed for good: a final code only if nothing of the volume is left on the node. */
class FailedStagingTest {
    private static final long SIZE = 1L << 30;
    private static final Path ELSEWHERE = Path.of("/kubelet/elsewhere");

    /** A request that is refused before anything is attached. */
    private static final VolumeCapability REFUSED =
            new VolumeCapability(new VolumeCapability.Mount("", List.of("suid")), AccessMode.SINGLE_NODE_WRITER);

    private final ProtocolNode on = new ProtocolNode();
    private final NodeUseCases node = on.process();
    private final TestWork work = TestWork.patient();

    private Failure failure(Attachment volume, VolumeCapability capability) {
        return Failing.failure(() -> ProtocolNode.stage(node, volume, capability, work));
    }

    /** Leaves what a process leaves that is killed when it has attached the volume. */
    private void killedOnceAttached() {
        Failing.works(() -> ProtocolNode.stage(
                on.process(), TARGET, TestVolumes.MOUNT, TestWork.patient().cancelledAfter(4)));
        assertThat(on.targets.dump()).contains("session");
        assertThat(on.journal.all()).hasSize(1);
    }

    private static void isLeft(Failure answered, String... words) {
        assertThat(answered).isInstanceOf(Failure.HalfStaged.class);
        assertThat(answered.message()).contains(words);
        assertThat(FinalCodes.isFinal(answered)).isFalse();
    }

    @Test
    void a_detachment_that_is_refused_is_told_with_the_reason_and_the_next_call_makes_up_for_it() {
        on.filesystems.noise(DEVICE, SIZE);
        on.targets.held();

        isLeft(failure(TARGET, TestVolumes.MOUNT), "FL-NODE-008", "in use", "the kernel");
        assertThat(on.journal.all()).as("what knows of the session").hasSize(1);
        on.targets.released();

        assertThat(failure(TARGET, TestVolumes.MOUNT)).isInstanceOf(Failure.FormatRefused.class);
        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.all()).isEmpty();
    }

    @Test
    void a_volume_that_is_mounted_elsewhere_is_not_detached_and_that_is_told() {
        on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "ext4");
        on.targets.login(((Attachment.Iscsi) TARGET).iqn());
        on.mounts.existing(ELSEWHERE);
        on.mounts.mount(Filesystem.of("ext4", DEVICE.toString(), List.of("rw")), ELSEWHERE, work);
        on.filesystems.damaged();

        isLeft(failure(TARGET, TestVolumes.MOUNT), "FL-NODE-006", "a mount at " + ELSEWHERE);

        assertThat(on.targets.dump()).contains("session");
    }

    @Test
    void what_a_killed_process_attached_is_detached_before_a_request_is_refused() {
        killedOnceAttached();

        assertThat(failure(TARGET, REFUSED)).isInstanceOf(Failure.InvalidRequest.class);

        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.all())
                .as("what would detach it from whoever attaches it next")
                .isEmpty();
    }

    @Test
    void what_a_killed_process_attached_by_another_volume_context_is_in_the_way_of_one_call_only() {
        killedOnceAttached();
        Attachment other = FakeTargets.target("two");
        on.filesystems.blank(FakeTargets.device("two"), SIZE);

        assertThat(failure(other, TestVolumes.MOUNT)).isInstanceOf(Failure.MountConflict.class);

        ProtocolNode.stage(node, other, TestVolumes.MOUNT, work);
        assertThat(on.targets.dump()).isEqualTo("session " + ((Attachment.Iscsi) other).iqn() + "\n");
    }

    @Test
    void a_file_system_that_is_known_is_still_known_after_a_request_was_refused() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        on.mounts.unmount(STAGING, work);

        assertThat(failure(TARGET, REFUSED)).isInstanceOf(Failure.InvalidRequest.class);

        assertThat(on.targets.dump()).isEmpty();
        on.filesystems.written(DEVICE, SIZE, "ext4", "another");
        assertThat(failure(TARGET, TestVolumes.MOUNT)).isInstanceOf(Failure.FilesystemConflict.class);
    }

    @Test
    void a_format_that_was_cut_is_still_known_after_a_request_was_refused() {
        Failing.works(() -> ProtocolNode.stage(
                on.process(), TARGET, TestVolumes.MOUNT, TestWork.patient().cancelledAfter(5)));

        assertThat(failure(TARGET, REFUSED)).isInstanceOf(Failure.InvalidRequest.class);

        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.all()).singleElement().matches(CutFormats::isGivenBack);
    }

    @Test
    void what_a_killed_process_attached_and_cannot_be_detached_keeps_a_refusal_from_being_final() {
        killedOnceAttached();
        on.targets.held();

        isLeft(failure(TARGET, REFUSED), "FL-REQ-001", "suid", "the kernel");
    }

    @Test
    void an_entry_that_cannot_be_read_may_be_of_anything() {
        killedOnceAttached();
        on.journal.spoil(ProtocolNode.HANDLE);

        isLeft(failure(TARGET, TestVolumes.MOUNT), "FL-NODE-005", "cut off");
    }

    @Test
    void a_volume_that_is_staged_is_never_told_to_be_absent() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);

        isLeft(failure(TARGET, REFUSED), "FL-REQ-001", "a mount at " + STAGING);

        assertThat(on.mounts.at(STAGING, work)).isPresent();
        ProtocolNode.unstage(node, work);
        assertThat(on.targets.dump()).isEmpty();
    }

    @Test
    void a_volume_whose_device_is_gone_below_its_mount_is_never_told_to_be_absent() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        on.targets.removed(((Attachment.Iscsi) TARGET).iqn());

        isLeft(failure(TARGET, TestVolumes.MOUNT), "a mount at " + STAGING);
        isLeft(failure(TARGET, REFUSED), "FL-REQ-001", "a mount at " + STAGING);

        assertThat(on.mounts.at(STAGING, work)).isPresent();
        ProtocolNode.unstage(node, work);
        assertThat(on.mounts.at(STAGING, work)).isEmpty();
        assertThat(on.journal.all()).isEmpty();
    }

    @Test
    void what_another_driver_staged_is_never_told_to_be_absent() {
        on.targets.login(((Attachment.Iscsi) TARGET).iqn());
        on.mounts.existing(STAGING);
        on.mounts.mount(Filesystem.of("ext4", DEVICE.toString(), List.of("rw")), STAGING, work);

        isLeft(failure(TARGET, REFUSED), "FL-REQ-001", "a mount at " + STAGING);
    }

    @Test
    void a_mount_that_came_with_the_failure_is_taken_away() {
        for (Attachment volume : List.of(TARGET, SHARE)) {
            on.mounts.mountAndFail();

            assertThat(failure(volume, TestVolumes.MOUNT)).isInstanceOf(Failure.NodeFault.class);

            assertThat(on.mounts.at(STAGING, work)).isEmpty();
            assertThat(on.targets.dump()).isEmpty();
        }
    }

    @Test
    void a_mount_that_outlasts_its_call_is_waited_for_and_nothing_is_checked_below_it() {
        on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "ext4");
        on.mounts.mountForLong();
        for (int call = 0; call < 3; call++) {
            assertThat(failure(TARGET, TestVolumes.MOUNT)).isInstanceOf(Failure.OperationPending.class);
        }

        assertThat(on.filesystems.checks()).hasSize(1);
        assertThat(on.targets.dump()).contains("session");
        on.mounts.mountEnds();
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        assertThat(on.filesystems.checks()).hasSize(1);
        assertThat(on.mounts.table(work)).as("mounts beside the root").hasSize(2);
    }

    @Test
    void a_mount_that_outlasts_its_call_keeps_a_refusal_from_being_final() {
        on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "ext4");
        on.mounts.mountForLong();
        Failing.with(Failure.OperationPending.class, () -> ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work));
        on.mounts.mountEnds();

        isLeft(failure(TARGET, REFUSED), "a mount at " + STAGING);
    }

    @Test
    void an_error_of_the_program_once_the_volume_is_attached_is_not_final_while_something_is_left() {
        AtomicBoolean thrown = new AtomicBoolean();
        TestWork failing = TestWork.patient().cancelledWhen(() -> {
            if (on.targets.dump().contains("session") && !thrown.getAndSet(true)) {
                on.targets.held();
                throw new StackOverflowError("played");
            }
            return false;
        });

        isLeft(Failing.failure(() -> ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, failing)), "in use");
        assertThat(on.journal.all()).as("what knows of the session").hasSize(1);
    }

    @Test
    void an_error_of_the_program_while_a_volume_is_taken_away_is_not_final() {
        TestWork failing = TestWork.patient().cancelledWhen(() -> {
            if (on.targets.dump().contains("session")) {
                throw new StackOverflowError("played");
            }
            return false;
        });

        isLeft(
                Failing.failure(() -> ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, failing)),
                "what could not be taken away (an error of the program)");
    }
}
