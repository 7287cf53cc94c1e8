package dev.fairlead.application.service.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a format that was cut off if another volume of this node has the same device. */
class SharedCutFormatsTest {
    private static final Path DEVICE = FakeTargets.device("one");
    private static final long SIZE = 1L << 30;

    private final SharedTargetNode node = new SharedTargetNode();
    private final ProtocolNode on = node.on;

    private StageJournal.Entry entry(String handle) {
        return on.journal.of(handle).orElseThrow();
    }

    private void isNotFormatted(String handle) {
        Failing.with(Failure.FormatRefused.class, () -> node.stage(handle, TestVolumes.MOUNT));

        assertThat(on.filesystems.formats()).isEmpty();
    }

    @Test
    void what_another_volume_of_the_device_has_written_is_not_taken_for_a_format_that_was_cut() {
        node.stageCut("a");
        node.stage("b", SharedTargetNode.RAW);
        on.filesystems.noise(DEVICE, SIZE);
        node.unstage("a");
        node.unstage("b");

        isNotFormatted("a");
    }

    @Test
    void a_format_that_was_cut_is_not_begun_anew_over_a_raw_volume_of_the_device() {
        node.stageCut("a");
        node.stage("b", SharedTargetNode.RAW);
        on.filesystems.noise(DEVICE, SIZE);

        isNotFormatted("a");
    }

    @Test
    void a_format_that_was_cut_is_not_begun_anew_over_what_a_raw_volume_has_left() {
        node.stageCut("a");
        node.stage("b", SharedTargetNode.RAW);
        on.filesystems.noise(DEVICE, SIZE);
        node.unstage("b");

        isNotFormatted("a");
    }

    @Test
    void an_empty_device_is_not_formatted_while_a_raw_volume_has_it() {
        node.stage("b", SharedTargetNode.RAW);

        Failing.with(Failure.InUse.class, () -> node.stage("a", TestVolumes.MOUNT));

        assertThat(on.filesystems.formats()).isEmpty();
    }

    @Test
    void a_format_that_was_cut_is_not_begun_anew_over_what_a_volume_with_a_file_system_has_left() {
        node.stageCut("a");
        on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "ext4");
        node.stage("b", TestVolumes.MOUNT);
        node.unstage("b");
        on.filesystems.noise(DEVICE, SIZE);

        isNotFormatted("a");
    }

    @Test
    void a_format_that_is_still_at_work_is_not_given_up_for_another_volume() {
        on.filesystems.formatForLong();
        Failing.with(Failure.OperationPending.class, () -> node.stage("a", TestVolumes.MOUNT));
        StageJournal.Entry before = entry("a");
        CutFormats cuts = new CutFormats(on.filesystems, on.journal);
        SharedDevices shared = new SharedDevices(new Attachers(on.ports().attachers()), on.journal, cuts, node.locks);
        StageJournal.Entry other = new StageJournal.Entry(
                "b", SharedTargetNode.staging("b"), SharedTargetNode.ONE, true, Map.of(), Optional.empty());

        Failing.with(Failure.OperationPending.class, () -> shared.takeOver(other, node.work));

        assertThat(CutFormats.isCut(before)).isTrue();
        assertThat(entry("a")).isEqualTo(before);
        on.filesystems.formatEnds();
        var _ = shared.takeOver(other, node.work);
        assertThat(CutFormats.isGivenBack(entry("a"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void no_device_is_formatted_while_an_entry_cannot_be_read_that_may_be_of_a_writer(boolean cut) {
        if (cut) {
            node.stageCut("a");
        }
        node.stage("b", SharedTargetNode.RAW);
        on.journal.spoil("b");

        Failure failure = Failing.failure(() -> node.stage("a", TestVolumes.MOUNT));

        assertThat(on.filesystems.formats()).isEmpty();
        assertThat(failure).isInstanceOf(Failure.JournalUnreadable.class);
        assertThat(failure.message()).contains("the entry of b", "cut off", "repair it");
        assertThat(FinalCodes.isFinal(failure)).isFalse();
        assertThat(on.targets.dump()).as("what another may have").contains("session");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_session_that_another_driver_began_ends_with_the_volume_that_took_the_device_over(boolean raw) {
        node.stageCut("a");
        on.targets.login(SharedTargetNode.ONE.iqn());
        on.journal.write(entry("a").with(Map.of(Attacher.RECOGNISED, "its mount")), node.work);
        if (!raw) {
            on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "ext4");
        }
        node.stage("b", raw ? SharedTargetNode.RAW : TestVolumes.MOUNT);

        node.unstage("b");

        assertThat(on.targets.dump()).isEmpty();
    }
}
