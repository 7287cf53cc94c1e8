package dev.fairlead.application.service.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of a format that was cut off if another volume of this node has the same device. */
class SharedCutFormatsTest {
    private static final Attachment.Iscsi ONE = FakeTargets.target("one");
    private static final VolumeCapability RAW =
            new VolumeCapability(new VolumeCapability.Block(), AccessMode.SINGLE_NODE_WRITER);

    private final ProtocolNode on = new ProtocolNode();
    private final NodeUseCases node = on.process();
    private final TestWork work = TestWork.patient();

    private static Path staging(String handle) {
        return Path.of("/kubelet/plugins/" + handle + "/globalmount");
    }

    private void stage(String handle, VolumeCapability capability) {
        stage(node, handle, capability, work);
    }

    private void stage(NodeUseCases by, String handle, VolumeCapability capability, TestWork how) {
        by.stageVolume()
                .stage(
                        new StageVolume.Command(
                                handle, staging(handle), capability, AttachmentCodec.encode(ONE), Map.of(), Map.of()),
                        how);
    }

    private void unstage(String handle) {
        node.unstageVolume().unstage(handle, staging(handle), work);
    }

    /** Stages a volume of which the making of the file system is cut off. */
    private void stageCut(String handle) {
        Failing.works(() -> stage(
                on.process(), handle, TestVolumes.MOUNT, TestWork.patient().cancelledAfter(5)));
    }

    @Test
    void what_another_volume_of_the_device_has_written_is_not_taken_for_a_format_that_was_cut() {
        stageCut("a");
        stage("b", RAW);
        on.filesystems.noise(FakeTargets.device("one"), 1L << 30);
        unstage("a");
        unstage("b");

        Failing.with(Failure.FormatRefused.class, () -> stage("a", TestVolumes.MOUNT));

        assertThat(on.filesystems.formats()).isEmpty();
    }

    @Test
    void a_format_that_was_cut_is_not_begun_anew_over_a_raw_volume_of_the_device() {
        stageCut("a");
        stage("b", RAW);
        on.filesystems.noise(FakeTargets.device("one"), 1L << 30);

        Failing.with(Failure.FormatRefused.class, () -> stage("a", TestVolumes.MOUNT));

        assertThat(on.filesystems.formats()).isEmpty();
    }

    @Test
    void a_format_that_was_cut_is_not_begun_anew_over_what_a_raw_volume_has_left() {
        stageCut("a");
        stage("b", RAW);
        on.filesystems.noise(FakeTargets.device("one"), 1L << 30);
        unstage("b");

        Failing.with(Failure.FormatRefused.class, () -> stage("a", TestVolumes.MOUNT));

        assertThat(on.filesystems.formats()).isEmpty();
    }

    @Test
    void an_empty_device_is_not_formatted_while_a_raw_volume_has_it() {
        stage("b", RAW);

        Failing.with(Failure.InUse.class, () -> stage("a", TestVolumes.MOUNT));

        assertThat(on.filesystems.formats()).isEmpty();
    }
}
