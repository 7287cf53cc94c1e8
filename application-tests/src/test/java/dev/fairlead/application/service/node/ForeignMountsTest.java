package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.ProtocolNode.HANDLE;
import static dev.fairlead.application.service.ProtocolNode.POD;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What another driver or a person mounts over a volume's places stays, and what is the volume's is taken away. */
class ForeignMountsTest {
    private static final String IQN = ((Attachment.Iscsi) TARGET).iqn();
    private static final Path ELSEWHERE = Path.of("/srv/elsewhere");

    private final ProtocolNode on = new ProtocolNode();
    private final NodeUseCases node = on.process();
    private final TestWork work = TestWork.patient();

    /** What lies over a place of the volume. */
    enum Stranger {
        A_SHARE,
        A_FILE_SYSTEM_IN_MEMORY,
        ANOTHER_TARGET
    }

    private void laid(Stranger stranger, Path place) {
        on.mounts.existing(ELSEWHERE);
        on.targets.login(FakeTargets.target("two").iqn());
        switch (stranger) {
            case A_SHARE -> mount("nfs", "nas:/tank/v/other");
            case A_FILE_SYSTEM_IN_MEMORY -> mount("tmpfs", "tmpfs");
            case ANOTHER_TARGET -> mount("ext4", FakeTargets.device("two").toString());
        }
        on.mounts.mountOver(ELSEWHERE, place);
    }

    private void mount(String type, String source) {
        on.mounts.mount(Filesystem.of(type, source, List.of()), ELSEWHERE, work);
    }

    private void takenAwayByHand(Path place) {
        on.mounts.unmount(place, work);
        on.mounts.unmount(ELSEWHERE, work);
    }

    private void staged(VolumeCapability capability) {
        ProtocolNode.stage(node, TARGET, capability, work);
        ProtocolNode.publish(node, TARGET, capability, work);
    }

    private void forgetsItsDevice() {
        StageJournal.Entry entry = on.journal.of(HANDLE).orElseThrow();
        on.journal.write(entry.with(Map.of(Attacher.RECOGNISED, "its mount")), work);
    }

    private void assertNothingIsLeft() {
        assertThat(on.targets.dump()).doesNotContain(IQN);
        assertThat(on.journal.all()).isEmpty();
        assertThat(on.mounts.table(work)).hasSize(1);
    }

    @Test
    void another_volume_over_a_staging_path_stays_and_the_volume_stays_attached() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        laid(Stranger.ANOTHER_TARGET, STAGING);
        String before = on.dump();

        assertThatThrownBy(() -> ProtocolNode.unstage(node, work))
                .hasMessageContaining(STAGING.toString())
                .hasMessageContaining("unmount that by hand");

        assertThat(on.dump()).isEqualTo(before);
        takenAwayByHand(STAGING);
        ProtocolNode.unstage(node, work);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "block_device"})
    void another_volume_over_a_raw_device_stays(String place) {
        ProtocolNode.stage(node, TARGET, TestVolumes.BLOCK, work);
        laid(Stranger.ANOTHER_TARGET, STAGING.resolve(place));
        String before = on.dump();

        Failing.with(Failure.MountConflict.class, () -> ProtocolNode.unstage(node, work));

        assertThat(on.dump()).isEqualTo(before);
        takenAwayByHand(STAGING.resolve(place));
        ProtocolNode.unstage(node, work);
        assertNothingIsLeft();
    }

    @Test
    void another_volume_over_a_pod_s_path_stays() {
        staged(TestVolumes.MOUNT);
        laid(Stranger.ANOTHER_TARGET, POD);
        String before = on.dump();

        Failing.with(Failure.MountConflict.class, () -> ProtocolNode.unpublish(node, work));

        assertThat(on.dump()).isEqualTo(before);
        takenAwayByHand(POD);
        ProtocolNode.unpublish(node, work);
        ProtocolNode.unstage(node, work);
        assertNothingIsLeft();
    }

    /** A pod with bidirectional mount propagation mounts over its volume, and leaves that when it is killed. */
    @ParameterizedTest
    @EnumSource(
            value = Stranger.class,
            names = {"A_SHARE", "A_FILE_SYSTEM_IN_MEMORY"})
    void what_a_pod_mounted_over_its_volume_goes_with_it(Stranger stranger) {
        staged(TestVolumes.MOUNT);
        laid(stranger, POD);
        on.mounts.mountOver(ELSEWHERE, STAGING);
        on.mounts.unmount(ELSEWHERE, work);

        ProtocolNode.unpublish(node, work);
        ProtocolNode.unstage(node, work);

        assertNothingIsLeft();
    }

    @Test
    void of_a_volume_that_another_driver_mounted_only_what_is_known_to_be_another_volume_s_stays() {
        on.targets.login(IQN);
        staged(TestVolumes.MOUNT);
        forgetsItsDevice();
        laid(Stranger.ANOTHER_TARGET, STAGING);

        Failing.with(Failure.MountConflict.class, () -> {
            ProtocolNode.unpublish(node, work);
            ProtocolNode.unstage(node, work);
        });

        takenAwayByHand(STAGING);
        ProtocolNode.unstage(node, work);
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_volume_whose_device_is_gone_is_taken_away_whether_its_device_is_known_or_not(boolean known) {
        for (VolumeCapability capability : List.of(TestVolumes.MOUNT, TestVolumes.BLOCK)) {
            staged(capability);
            if (!known) {
                forgetsItsDevice();
            }
            on.targets.removed(IQN);

            ProtocolNode.unpublish(node, work);
            ProtocolNode.unstage(node, work);

            assertNothingIsLeft();
            on.targets.login(IQN);
        }
    }

    @Test
    void a_mount_by_another_name_of_a_device_that_is_gone_is_taken_away() {
        staged(TestVolumes.MOUNT);
        StageJournal.Entry entry = on.journal.of(HANDLE).orElseThrow();
        on.journal.write(entry.with(Map.of(Attacher.DEVICE, "/dev/come-anew")), work);
        on.targets.removed(IQN);

        ProtocolNode.unpublish(node, work);
        ProtocolNode.unstage(node, work);

        assertNothingIsLeft();
    }

    @Test
    void a_pod_s_path_is_taken_away_whose_staging_mount_is_gone() {
        staged(TestVolumes.MOUNT);
        on.mounts.unmountLazily(STAGING, work);

        ProtocolNode.unpublish(node, work);
        ProtocolNode.unstage(node, work);

        assertNothingIsLeft();
    }

    /** No other volume's trouble, and none of the journal, is to keep a pod on the node. */
    @Test
    void a_pod_s_path_is_taken_away_of_a_volume_whose_entry_cannot_be_read() {
        staged(TestVolumes.MOUNT);
        on.journal.spoil(HANDLE);

        ProtocolNode.unpublish(node, work);

        assertThat(on.mounts.at(POD, work)).isEmpty();
        assertThat(on.mounts.at(STAGING, work)).isPresent();
    }
}
