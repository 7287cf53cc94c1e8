package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.ProtocolNode.DEVICE;
import static dev.fairlead.application.service.ProtocolNode.HANDLE;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.out.node.StageJournal.CutFormat;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What becomes of a volume whose format was cut off: it is made anew if nobody can have written to the device since,
 * and left alone else.
 */
class CutFormatTest {
    private static final long SIZE = 1L << 30;

    private final ProtocolNode on = new ProtocolNode();
    private final NodeUseCases node = on.process();
    private final TestWork work = TestWork.patient();

    private void refused() {
        Failing.with(Failure.FormatRefused.class, () -> ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work));
        assertThat(on.filesystems.formats()).isEmpty();
    }

    private void madeAnew() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        assertThat(on.filesystems.formats()).containsExactly("ext4 " + DEVICE);
    }

    /** Stages a volume and dies when the format has begun, before anything is known of its end. */
    private void formatCut() {
        Failing.works(() -> ProtocolNode.stage(
                on.process(), TARGET, TestVolumes.MOUNT, TestWork.patient().cancelledAfter(5)));
        on.filesystems.noise(DEVICE, SIZE);
    }

    @Test
    void a_format_that_was_cut_is_begun_anew_on_the_device_that_was_proved_empty() {
        formatCut();

        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);

        assertThat(on.filesystems.formats()).containsExactly("ext4 " + DEVICE);
        assertThat(on.journal
                        .of(HANDLE)
                        .orElseThrow()
                        .filesystem()
                        .orElseThrow()
                        .finished())
                .isTrue();
    }

    @Test
    void a_format_that_was_cut_is_not_begun_anew_on_another_device_or_one_of_another_size() {
        formatCut();
        on.filesystems.replaced();
        Failing.with(Failure.FormatRefused.class, () -> ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work));

        ProtocolNode again = new ProtocolNode();
        Failing.works(() -> ProtocolNode.stage(
                again.process(), TARGET, TestVolumes.MOUNT, TestWork.patient().cancelledAfter(5)));
        again.filesystems.noise(DEVICE, 2 * SIZE);
        Failing.with(
                Failure.FormatRefused.class,
                () -> ProtocolNode.stage(again.process(), TARGET, TestVolumes.MOUNT, work));

        assertThat(on.filesystems.formats()).isEmpty();
        assertThat(again.filesystems.formats()).isEmpty();
    }

    @Test
    void a_format_that_was_cut_is_not_begun_anew_after_the_device_was_used_raw() {
        formatCut();
        ProtocolNode.stage(node, TARGET, TestVolumes.BLOCK, work);
        on.mounts.unmount(STAGING.resolve("block_device"), work);

        Failing.with(Failure.FormatRefused.class, () -> ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work));

        assertThat(on.filesystems.formats()).isEmpty();
    }

    @Test
    void what_another_node_finished_meanwhile_is_used() {
        formatCut();
        on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "xfs");

        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);

        assertThat(on.filesystems.formats()).isEmpty();
        assertThat(on.mounts.at(STAGING, work).orElseThrow().fsType()).isEqualTo("xfs");
    }

    @Test
    void what_was_wished_for_refuses_no_other_type_in_a_partition() {
        Path partition = FakeTargets.partition("one", 1);
        formatCut();
        on.filesystems.partitioned(DEVICE, SIZE, partition, SIZE - 1);
        on.filesystems.written(partition, SIZE - 1, Kind.FILESYSTEM, "xfs");

        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);

        assertThat(on.mounts.at(STAGING, work).orElseThrow().fsType()).isEqualTo("xfs");
    }

    @Test
    void a_format_that_was_cut_is_begun_anew_though_the_volume_was_unstaged() {
        formatCut();
        ProtocolNode.unstage(node, work);
        assertThat(on.targets.dump()).isEmpty();

        madeAnew();

        ProtocolNode.unstage(node, work);
        assertThat(on.journal.all()).isEmpty();
    }

    @Test
    void an_unstaging_of_it_that_is_cut_anywhere_is_finished_by_the_next() {
        formatCut();
        int cuts = 0;
        boolean ended = false;
        while (!ended) {
            TestWork cut = TestWork.patient().cancelledAfter(cuts);
            ended = Failing.works(() -> ProtocolNode.unstage(on.process(), cut));
            cuts++;
        }
        assertThat(cuts).isGreaterThan(2);

        madeAnew();
    }

    @Test
    void what_was_written_to_the_device_after_it_was_unstaged_is_never_formatted() {
        formatCut();
        ProtocolNode.unstage(node, work);
        on.filesystems.noise(DEVICE, SIZE);
        ProtocolNode.unstage(node, work);

        refused();
        refused();
    }

    @Test
    void what_was_written_after_a_stage_that_was_refused_is_never_formatted() {
        formatCut();
        VolumeCapability reader =
                new VolumeCapability(new VolumeCapability.Mount("", List.of()), AccessMode.MULTI_NODE_READER_ONLY);
        Failing.with(Failure.FormatRefused.class, () -> ProtocolNode.stage(node, TARGET, reader, work));
        on.filesystems.noise(DEVICE, SIZE);

        refused();
    }

    @Test
    void what_programs_told_nobody_is_forgotten_of_the_device_that_is_given_back() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        assertThat(on.filesystems.forgotten()).isEmpty();

        ProtocolNode.unstage(node, work);

        assertThat(on.filesystems.forgotten()).containsExactly(DEVICE);
    }

    @Test
    void a_stage_that_was_refused_forgets_its_device_too() {
        on.filesystems.noise(DEVICE, SIZE);

        Failing.with(Failure.FormatRefused.class, () -> ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work));

        assertThat(on.filesystems.forgotten()).containsExactly(DEVICE);
    }

    @Test
    void a_stage_that_was_refused_lets_it_begin_anew() {
        formatCut();
        VolumeCapability reader =
                new VolumeCapability(new VolumeCapability.Mount("", List.of()), AccessMode.MULTI_NODE_READER_ONLY);
        Failing.with(Failure.FormatRefused.class, () -> ProtocolNode.stage(node, TARGET, reader, work));

        madeAnew();
    }

    @Test
    void what_was_written_after_the_session_was_ended_since_nobody_asked_is_never_formatted() {
        formatCut();
        JournalReconciler reconciler = on.reconciler(new KeyedLocks(SteppingClock.standing()));
        for (int look = 0; look < JournalReconciler.LOOKS; look++) {
            var _ = reconciler.look(work);
        }
        assertThat(on.targets.dump()).isEmpty();
        on.filesystems.noise(DEVICE, SIZE);

        refused();
    }

    @Test
    void a_raw_stage_after_it_was_unstaged_drops_what_was_begun() {
        formatCut();
        ProtocolNode.unstage(node, work);
        ProtocolNode.stage(node, TARGET, TestVolumes.BLOCK, work);
        ProtocolNode.unstage(node, work);

        refused();
    }

    @Test
    void a_device_that_cannot_be_read_as_it_is_unstaged_is_not_formatted_later() {
        formatCut();
        on.filesystems.replaced();

        ProtocolNode.unstage(node, work);

        assertThat(on.journal.all()).isEmpty();
        refused();
    }

    @Test
    void a_device_that_cannot_be_read_as_a_stage_of_it_fails_is_not_formatted_later() {
        formatCut();
        on.filesystems.unreadable();
        Failing.with(Failure.NodeFault.class, () -> ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work));
        on.filesystems.readable();
        assertThat(on.targets.dump()).isEmpty();
        on.filesystems.noise(DEVICE, SIZE);

        refused();
        refused();
    }

    @Test
    void a_device_that_cannot_be_read_as_its_session_is_ended_is_not_formatted_later() {
        formatCut();
        on.filesystems.unreadable();
        JournalReconciler reconciler = on.reconciler(new KeyedLocks(SteppingClock.standing()));
        for (int look = 0; look < JournalReconciler.LOOKS; look++) {
            var _ = reconciler.look(work);
        }
        on.filesystems.readable();
        assertThat(on.targets.dump()).isEmpty();
        on.filesystems.noise(DEVICE, SIZE);

        refused();
    }

    @Test
    void a_format_that_outlasts_its_calls_goes_on_and_its_file_system_is_used() {
        on.filesystems.formatForLong();
        pending(() -> ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work));

        pending(() -> ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work));
        pending(() -> ProtocolNode.unstage(node, work));
        JournalReconciler reconciler = on.reconciler(new KeyedLocks(SteppingClock.standing()));
        for (int look = 0; look < JournalReconciler.LOOKS; look++) {
            var _ = reconciler.look(work);
        }

        assertThat(on.targets.dump()).contains("session");
        CutFormat cut = on.journal
                .of(HANDLE)
                .flatMap(StageJournal.Entry::filesystem)
                .flatMap(StageJournal.FilesystemState::cut)
                .orElseThrow();
        assertThat(cut.remains()).as("noted as what was given back").isEmpty();
        on.filesystems.formatEnds();
        madeAnew();
    }

    private static void pending(Runnable call) {
        Failing.with(Failure.OperationPending.class, call::run);
    }

    @Test
    void it_is_looked_for_by_its_link_where_the_kernel_may_number_it_otherwise_by_then() {
        Path link = Path.of("/dev/zvol/tank/one");
        on.targets.linked(link);
        formatCut();
        on.filesystems.noise(link, SIZE);

        ProtocolNode.unstage(node, work);

        CutFormat cut = on.journal
                .of(HANDLE)
                .flatMap(StageJournal.Entry::filesystem)
                .flatMap(StageJournal.FilesystemState::cut)
                .orElseThrow();
        assertThat(cut.device()).isEqualTo(link);
        assertThat(cut.remains()).contains(on.filesystems.digest(link, work));
    }

    @Test
    void after_it_was_unstaged_another_device_is_proved_empty_as_any() {
        formatCut();
        ProtocolNode.unstage(node, work);
        on.filesystems.blank(FakeTargets.device("two"), SIZE);

        ProtocolNode.stage(node, FakeTargets.target("two"), TestVolumes.MOUNT, work);

        assertThat(on.filesystems.formats()).containsExactly("ext4 " + FakeTargets.device("two"));
    }
}
