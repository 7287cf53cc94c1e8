package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.ProtocolNode.HANDLE;
import static dev.fairlead.application.service.ProtocolNode.POD;
import static dev.fairlead.application.service.ProtocolNode.SHARE;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is done with shares: told apart, and mounted anew only if nothing is lost by it. */
class NodeShareTest {
    private final ProtocolNode on = new ProtocolNode();
    private final NodeUseCases node = on.process();
    private final TestWork work = TestWork.patient();

    @Test
    void volumes_of_one_server_s_file_system_are_told_apart() {
        VolumeCapability alone = TestVolumes.mount(AccessMode.SINGLE_NODE_SINGLE_WRITER);
        Path other = Path.of("/kubelet/other");
        on.mounts.existing(other);
        on.mounts.mount(Filesystem.of("nfs", "nas:/tank/v/pvc-2", List.of()), other, work);
        ProtocolNode.stage(node, SHARE, alone, work);

        ProtocolNode.publish(node, SHARE, alone, work);

        assertThat(on.mounts.at(POD, work).orElseThrow().source()).isEqualTo("nas:/tank/v/pvc-1");
    }

    @Test
    void a_lost_share_is_mounted_anew_if_no_pod_has_it() {
        ProtocolNode.stage(node, SHARE, TestVolumes.MOUNT, work);
        int first = on.mounts.at(STAGING, work).orElseThrow().id();
        on.mounts.silenced(STAGING, true);

        ProtocolNode.publish(node, SHARE, TestVolumes.MOUNT, work);

        assertThat(on.mounts.at(STAGING, work).orElseThrow().id()).isNotEqualTo(first);
        on.mounts.silenced(STAGING, true);
        Failing.with(Failure.StaleMount.class, () -> ProtocolNode.stage(node, SHARE, TestVolumes.MOUNT, work));
    }

    @Test
    void a_lost_share_with_a_login_is_not_mounted_anew_without_it() {
        on.shares.takeSecrets();
        ProtocolNode.stage(node, SHARE, TestVolumes.MOUNT, work);
        on.mounts.silenced(STAGING, true);
        String before = on.mounts.dump();

        Failing.with(Failure.StaleMount.class, () -> ProtocolNode.publish(node, SHARE, TestVolumes.MOUNT, work));

        assertThat(on.mounts.dump()).isEqualTo(before);
    }

    @Test
    void a_lost_share_is_mounted_anew_with_the_options_of_its_stage_secret() {
        stageWith("ro,sec=krb5p");
        on.mounts.silenced(STAGING, true);

        ProtocolNode.publish(node, SHARE, TestVolumes.MOUNT, work);

        assertThat(on.mounts.at(STAGING, work).orElseThrow().superOptions()).containsExactly("ro", "sec=krb5p");
    }

    @Test
    void a_lost_share_that_its_server_does_not_export_yet_is_mounted_by_a_later_publication() {
        stageWith("ro,sec=krb5p");
        String source = on.mounts.at(STAGING, work).orElseThrow().source();
        on.mounts.silenced(STAGING, true);
        on.mounts.withoutShare(source);
        Failing.with(Failure.MountFailed.class, () -> ProtocolNode.publish(node, SHARE, TestVolumes.MOUNT, work));
        Failing.with(Failure.MountFailed.class, () -> ProtocolNode.publish(node, SHARE, TestVolumes.MOUNT, work));
        on.mounts.withShare(source);

        ProtocolNode.publish(node, SHARE, TestVolumes.MOUNT, work);

        assertThat(on.mounts.at(STAGING, work).orElseThrow().superOptions()).containsExactly("ro", "sec=krb5p");
        ProtocolNode.unpublish(node, work);
        ProtocolNode.unstage(node, work);
        Failing.with(Failure.NotStaged.class, () -> ProtocolNode.publish(node, SHARE, TestVolumes.MOUNT, work));
    }

    @Test
    void a_lost_share_of_which_this_process_does_not_know_the_options_is_left_to_the_next_staging() {
        stageWith("sec=krb5p");
        on.mounts.madeByAnotherProcess(STAGING);
        on.mounts.silenced(STAGING, true);
        String before = on.mounts.dump();

        Failing.with(Failure.StaleMount.class, () -> ProtocolNode.publish(node, SHARE, TestVolumes.MOUNT, work));

        assertThat(on.mounts.dump()).isEqualTo(before);
        stageWith("sec=krb5p");
        assertThat(on.mounts.at(STAGING, work).orElseThrow().superOptions()).containsExactly("sec=krb5p");
    }

    /** The device's name may be another volume's by now, and a device is mounted only after it was looked at. */
    @Test
    void a_device_whose_mount_was_taken_away_is_not_mounted_by_a_publication() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        on.mounts.unmountLazily(STAGING, work);

        Failing.with(Failure.NotStaged.class, () -> ProtocolNode.publish(node, TARGET, TestVolumes.MOUNT, work));

        assertThat(on.mounts.at(STAGING, work)).isEmpty();
    }

    private void stageWith(String secretFlags) {
        node.stageVolume()
                .stage(
                        new StageVolume.Command(
                                HANDLE,
                                STAGING,
                                TestVolumes.MOUNT,
                                AttachmentCodec.encode(SHARE),
                                Map.of(),
                                Map.of("mount_flags", new Secret(secretFlags))),
                        work);
    }

    @Test
    void a_share_whose_server_is_silent_stays_and_is_told() {
        ProtocolNode.stage(node, SHARE, TestVolumes.MOUNT, work);
        String before = on.mounts.dump();
        on.mounts.silenced(STAGING, false);

        Failing.with(Failure.StaleMount.class, () -> ProtocolNode.publish(node, SHARE, TestVolumes.MOUNT, work));
        Failing.with(Failure.StaleMount.class, () -> node.measureVolume().measure("v:nas/pvc-1", STAGING, work));

        assertThat(on.mounts.dump()).isEqualTo(before);
        ProtocolNode.unstage(node, work);
        assertThat(on.mounts.at(STAGING, work)).isEmpty();
    }
}
