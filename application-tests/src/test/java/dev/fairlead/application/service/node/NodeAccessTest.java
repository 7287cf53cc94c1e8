package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.ProtocolNode.DEVICE;
import static dev.fairlead.application.service.ProtocolNode.HANDLE;
import static dev.fairlead.application.service.ProtocolNode.POD;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may write to a device, with which options it is mounted, and that it is checked before. */
class NodeAccessTest {
    private static final long SIZE = 1L << 30;
    private static final Path STAGED = STAGING.resolve("block_device");
    private static final Path OTHER_POD = Path.of("/kubelet/pods/a/other");

    private final ProtocolNode on = new ProtocolNode();
    private final NodeUseCases node = on.process();
    private final TestWork work = TestWork.patient();

    private static VolumeCapability block(AccessMode mode) {
        return new VolumeCapability(new VolumeCapability.Block(), mode);
    }

    private void publish(Path pod, VolumeCapability capability, boolean readOnly) {
        node.mountVolume()
                .mount(
                        new MountVolume.Command(
                                HANDLE,
                                Optional.of(STAGING),
                                pod,
                                capability,
                                readOnly,
                                AttachmentCodec.encode(TARGET),
                                Map.of()),
                        work);
    }

    private void stage(VolumeCapability capability, String secretFlags) {
        node.stageVolume()
                .stage(
                        new StageVolume.Command(
                                HANDLE,
                                STAGING,
                                capability,
                                AttachmentCodec.encode(TARGET),
                                Map.of(),
                                Map.of("democratic-csi.org/mount_flags", new Secret(secretFlags))),
                        work);
    }

    @Test
    void nobody_writes_to_a_raw_device_that_is_published_read_only() {
        VolumeCapability shared = block(AccessMode.SINGLE_NODE_MULTI_WRITER);
        ProtocolNode.stage(node, TARGET, shared, work);

        publish(POD, shared, true);
        publish(POD, shared, true);

        assertThat(on.filesystems.isProtected(STAGED)).isTrue();
        Failing.with(Failure.MountConflict.class, () -> publish(OTHER_POD, shared, false));
        assertThat(on.filesystems.isProtected(STAGED)).isTrue();
        node.unmountVolume().unmount(HANDLE, POD, work);
        publish(OTHER_POD, shared, false);
        assertThat(on.filesystems.isProtected(STAGED)).isFalse();
        Failing.with(Failure.MountConflict.class, () -> publish(POD, shared, true));
        assertThat(on.filesystems.isProtected(STAGED)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"SINGLE_NODE_READER_ONLY", "MULTI_NODE_READER_ONLY"})
    void a_raw_device_for_readers_is_protected_from_the_stage_on_until_a_writer_comes(AccessMode mode) {
        ProtocolNode.stage(node, TARGET, block(mode), work);

        assertThat(on.filesystems.isProtected(DEVICE)).isTrue();
        ProtocolNode.unstage(node, work);
        ProtocolNode.stage(node, TARGET, block(AccessMode.SINGLE_NODE_WRITER), work);
        assertThat(on.filesystems.isProtected(DEVICE)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"SINGLE_NODE_READER_ONLY", "MULTI_NODE_READER_ONLY"})
    void a_file_system_for_readers_is_mounted_without_its_journal(AccessMode mode) {
        on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "xfs");

        ProtocolNode.stage(node, TARGET, TestVolumes.mount(mode, "rw", "noatime"), work);

        assertThat(on.mounts.at(STAGING, work).orElseThrow().superOptions())
                .containsExactly("noatime", "nouuid", "ro", "norecovery");
        assertThat(on.filesystems.isProtected(DEVICE)).isTrue();
        assertThat(on.filesystems.checks()).isEmpty();
        assertThat(on.filesystems.grownTo(DEVICE)).isZero();
    }

    @Test
    void what_another_driver_has_mounted_for_writing_is_taken_over_for_readers_too() {
        VolumeCapability reader = TestVolumes.mount(AccessMode.MULTI_NODE_READER_ONLY);
        on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "ext4");
        on.targets.login(((Attachment.Iscsi) TARGET).iqn());
        on.mounts.existing(STAGING);
        on.mounts.mount(Filesystem.of("ext4", DEVICE.toString(), List.of()), STAGING, work);
        int mount = on.mounts.at(STAGING, work).orElseThrow().id();

        ProtocolNode.stage(node, TARGET, reader, work);
        ProtocolNode.publish(node, TARGET, reader, work);

        assertThat(on.mounts.at(STAGING, work).orElseThrow().id()).isEqualTo(mount);
        assertThat(on.mounts.at(POD, work).orElseThrow().readOnly()).isTrue();
        assertThat(on.filesystems.grownTo(DEVICE)).isZero();
    }

    @Test
    void what_this_driver_has_mounted_for_writing_is_not_staged_for_readers() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);

        Failing.with(
                Failure.HalfStaged.class,
                () -> ProtocolNode.stage(node, TARGET, TestVolumes.mount(AccessMode.MULTI_NODE_READER_ONLY), work));
    }

    @Test
    void an_empty_device_is_not_formatted_for_readers() {
        Failing.with(
                Failure.FormatRefused.class,
                () -> ProtocolNode.stage(node, TARGET, TestVolumes.mount(AccessMode.MULTI_NODE_READER_ONLY), work));
        Failing.with(
                Failure.FormatRefused.class,
                () -> ProtocolNode.stage(node, TARGET, TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER, "ro"), work));

        assertThat(on.filesystems.formats()).isEmpty();
        assertThat(on.targets.dump()).isEmpty();
    }

    @Test
    void options_of_the_class_come_before_those_of_the_secret() {
        stage(TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER, "noatime", "discard"), "defaults,commit=5,noatime");

        assertThat(on.mounts.at(STAGING, work).orElseThrow().superOptions())
                .containsExactly("discard", "commit=5", "noatime");
    }

    @Test
    void of_options_that_contradict_each_other_the_last_counts() {
        stage(TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER, "barrier=0", "barrier=1"), "barrier=0");

        assertThat(on.mounts.at(STAGING, work).orElseThrow().superOptions()).containsExactly("barrier=1", "barrier=0");
    }

    @Test
    void options_of_the_operator_come_between_those_of_the_class_and_of_the_secret() {
        ProtocolNode flagged = new ProtocolNode(List.of("nodiratime"));
        flagged.process()
                .stageVolume()
                .stage(
                        new StageVolume.Command(
                                HANDLE,
                                STAGING,
                                TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER, "noatime"),
                                AttachmentCodec.encode(TARGET),
                                Map.of(),
                                Map.of("mount_flags", new Secret("commit=5"))),
                        work);

        assertThat(flagged.mounts.at(STAGING, work).orElseThrow().superOptions())
                .containsExactly("noatime", "nodiratime", "commit=5");
    }

    @Test
    void a_hostile_option_is_refused_before_anything_is_written() {
        String before = on.dump();

        Failing.with(
                Failure.InvalidRequest.class,
                () -> stage(TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER, "suid"), ""));
        Failing.with(
                Failure.InvalidRequest.class,
                () -> stage(TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER), "noatime,suid"));

        assertThat(on.dump()).isEqualTo(before);
    }

    @Test
    void a_context_with_categories_is_one_option_of_a_device() {
        String context = "context=\"system_u:object_r:container_file_t:s0:c1,c2\"";

        stage(TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER, "noatime," + context), "c2," + context + ",commit=5");

        assertThat(on.mounts.at(STAGING, work).orElseThrow().superOptions())
                .containsExactly("noatime", "c2", context, "commit=5");
    }

    @Test
    void a_file_system_on_a_device_is_never_for_writers_on_several_nodes() {
        VolumeCapability shared = TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER);
        on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "ext4");
        String before = on.dump();

        Failing.with(Failure.InvalidRequest.class, () -> ProtocolNode.stage(node, TARGET, shared, work));

        assertThat(on.dump()).isEqualTo(before);
    }

    /** A publication adds no node, so what was staged before this was refused goes on. */
    @Test
    void what_is_staged_is_published_whatever_the_access_mode_says_of_other_nodes() {
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);

        ProtocolNode.publish(node, TARGET, TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER), work);

        assertThat(on.mounts.at(POD, work)).isPresent();
    }

    @Test
    void raw_devices_and_devices_of_this_node_alone_may_have_writers_anywhere() {
        assertThat(ProtocolNode.stage(node, TARGET, block(AccessMode.MULTI_NODE_MULTI_WRITER), work))
                .isTrue();
        ProtocolNode.unstage(node, work);
        on.targets.ofThisNodeAlone();

        assertThat(ProtocolNode.stage(node, TARGET, TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER), work))
                .isTrue();
    }

    @Test
    void a_file_system_is_checked_once_before_it_is_mounted_and_not_below_a_mount() {
        on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "ext4");

        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);
        ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work);

        assertThat(on.filesystems.checks()).containsExactly("ext4 " + DEVICE);
    }

    @Test
    void a_damaged_file_system_is_not_mounted() {
        on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "ext4");
        on.filesystems.damaged();

        Failing.with(Failure.MountFailed.class, () -> ProtocolNode.stage(node, TARGET, TestVolumes.MOUNT, work));

        assertThat(on.mounts.at(STAGING, work)).isEmpty();
        assertThat(on.filesystems.formats()).isEmpty();
    }

    @Test
    void the_options_of_a_mount_by_nobody_in_particular_are_as_they_were() {
        ProtocolNode.stage(
                node,
                TARGET,
                new VolumeCapability(new VolumeCapability.Mount("", List.of()), AccessMode.UNKNOWN),
                work);

        assertThat(on.mounts.at(STAGING, work).orElseThrow().superOptions()).isEmpty();
    }
}
