package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.ProtocolNode.DEVICE;
import static dev.fairlead.application.service.ProtocolNode.HANDLE;
import static dev.fairlead.application.service.ProtocolNode.POD;
import static dev.fairlead.application.service.ProtocolNode.SHARE;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.volume.AccessMode;
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

/** What is done with devices: formatted only if empty, mounted, grown, and given back. */
class NodeDeviceTest {
    private static final long SIZE = 1L << 30;
    private static final Path PARTITION = FakeTargets.partition("one", 2);
    private static final VolumeCapability XFS =
            new VolumeCapability(new VolumeCapability.Mount("xfs", List.of("noatime")), AccessMode.SINGLE_NODE_WRITER);

    private final ProtocolNode on = new ProtocolNode();
    private final NodeUseCases node = on.process();
    private final TestWork work = TestWork.patient();

    private void stage(VolumeCapability capability) {
        ProtocolNode.stage(node, TARGET, capability, work);
    }

    @Test
    void an_empty_device_is_formatted_once_and_mounted_with_its_flags() {
        stage(XFS);
        stage(XFS);
        ProtocolNode.stage(on.process(), TARGET, XFS, work);

        assertThat(on.filesystems.formats()).containsExactly("xfs " + DEVICE);
        assertThat(on.mounts.at(STAGING, work).orElseThrow().superOptions()).containsExactly("noatime", "nouuid");
        assertThat(on.filesystems.grownTo(DEVICE)).isEqualTo(SIZE);
        assertThat(on.journal
                        .of(HANDLE)
                        .orElseThrow()
                        .filesystem()
                        .orElseThrow()
                        .uuid())
                .isPresent();
    }

    @Test
    void mount_flags_of_the_secret_come_after_those_of_the_volume() {
        node.stageVolume()
                .stage(
                        new StageVolume.Command(
                                HANDLE,
                                STAGING,
                                XFS,
                                AttachmentCodec.encode(TARGET),
                                Map.of(),
                                Map.of("democratic-csi.org/mount_flags", new Secret("discard,noatime,"))),
                        work);

        assertThat(on.mounts.at(STAGING, work).orElseThrow().superOptions())
                .containsExactly("discard", "noatime", "nouuid");
    }

    @Test
    void the_type_that_is_on_the_device_counts() {
        on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "ext4");

        stage(XFS);

        assertThat(on.filesystems.formats()).isEmpty();
        assertThat(on.mounts.at(STAGING, work).orElseThrow().fsType()).isEqualTo("ext4");
    }

    /** Lists what keeps a device from being formatted. */
    enum Obstacle {
        NOISE,
        PARTITIONS,
        RAID,
        COPIED,
        HOST,
        TYPE
    }

    @ParameterizedTest
    @EnumSource
    void what_may_hold_data_is_refused_and_nothing_stays_attached(Obstacle obstacle) {
        String before = on.dump();
        Map<String, String> context =
                obstacle == Obstacle.COPIED ? Map.of("fairlead.dev/content", "snapshot") : Map.of();
        Map<String, String> published = obstacle == Obstacle.HOST ? Map.of("fairlead.dev/device", "written") : Map.of();
        switch (obstacle) {
            case NOISE -> on.filesystems.noise(DEVICE, SIZE);
            case PARTITIONS -> on.filesystems.written(DEVICE, SIZE, Kind.PARTITION_TABLE, "gpt");
            case RAID -> on.filesystems.written(DEVICE, SIZE, Kind.OTHER, "LVM2_member");
            default -> {}
        }
        VolumeCapability capability = obstacle == Obstacle.TYPE
                ? new VolumeCapability(new VolumeCapability.Mount("-F", List.of()), AccessMode.SINGLE_NODE_WRITER)
                : TestVolumes.MOUNT;

        assertThatThrownBy(() -> ProtocolNode.stage(node, TARGET, capability, context, published, work))
                .extracting("failure")
                .isInstanceOf(obstacle == Obstacle.TYPE ? Failure.InvalidRequest.class : Failure.FormatRefused.class);

        assertThat(on.filesystems.formats()).isEmpty();
        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.all()).isEmpty();
        assertThat(before).doesNotContain("session");
    }

    @Test
    void the_file_system_in_the_last_partition_is_used_as_democratic_csi_has_it() {
        on.filesystems.partitioned(DEVICE, SIZE, PARTITION, SIZE - 1);
        on.filesystems.written(PARTITION, SIZE - 1, Kind.FILESYSTEM, "xfs");

        stage(TestVolumes.MOUNT);
        stage(TestVolumes.MOUNT);

        assertThat(on.mounts.at(STAGING, work).orElseThrow().source()).isEqualTo(PARTITION.toString());
        assertThat(on.mounts.at(STAGING, work).orElseThrow().fsType()).isEqualTo("xfs");
        assertThat(on.filesystems.checks()).containsExactly("xfs " + PARTITION);
        assertThat(on.filesystems.formats()).isEmpty();
        ProtocolNode.unstage(node, work);
        assertThat(on.targets.dump()).isEmpty();
    }

    @Test
    void an_empty_partition_is_left_alone() {
        on.filesystems.partitioned(DEVICE, SIZE, PARTITION, SIZE - 1);

        Failing.with(Failure.FormatRefused.class, () -> stage(TestVolumes.MOUNT));

        assertThat(on.filesystems.formats()).isEmpty();
        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.all()).isEmpty();
    }

    @Test
    void a_partition_for_readers_is_protected_with_its_disk_and_written_again_for_a_writer() {
        on.filesystems.partitioned(DEVICE, SIZE, PARTITION, SIZE - 1);
        on.filesystems.written(PARTITION, SIZE - 1, Kind.FILESYSTEM, "ext4");
        VolumeCapability readers = new VolumeCapability(TestVolumes.MOUNT.access(), AccessMode.MULTI_NODE_READER_ONLY);

        stage(readers);
        assertThat(on.filesystems.isProtected(DEVICE)).isTrue();
        assertThat(on.filesystems.isProtected(PARTITION)).isTrue();
        ProtocolNode.unstage(node, work);
        stage(TestVolumes.MOUNT);

        assertThat(on.filesystems.isProtected(DEVICE)).isFalse();
        assertThat(on.filesystems.isProtected(PARTITION)).isFalse();
    }

    @Test
    void a_partition_grows_by_its_file_system_alone_and_what_lies_behind_it_is_told() {
        on.filesystems.partitioned(DEVICE, SIZE, PARTITION, SIZE - 1);
        on.filesystems.written(PARTITION, SIZE - 1, Kind.FILESYSTEM, "ext4");
        stage(TestVolumes.MOUNT);
        on.filesystems.resized(DEVICE, 2 * SIZE);

        assertThatThrownBy(() -> node.growFilesystem().grow(HANDLE, STAGING, CapacityRange.of(2 * SIZE, 0), work))
                .hasMessageContaining("growpart");
        on.filesystems.resized(PARTITION, 2 * SIZE - 1);

        assertThat(node.growFilesystem().grow(HANDLE, STAGING, CapacityRange.of(2 * SIZE, 0), work))
                .contains(Capacity.ofBytes(2 * SIZE));
        assertThat(on.filesystems.grownTo(PARTITION)).isEqualTo(2 * SIZE - 1);
    }

    @Test
    void a_device_that_cannot_be_read_is_never_formatted() {
        on.filesystems.unreadable();

        Failing.with(Failure.NodeFault.class, () -> stage(TestVolumes.MOUNT));

        assertThat(on.filesystems.formats()).isEmpty();
        assertThat(on.targets.dump()).isEmpty();
    }

    @Test
    void a_device_that_had_a_file_system_and_reads_as_zeros_is_refused() {
        stage(TestVolumes.MOUNT);
        on.mounts.unmount(STAGING, work);
        on.filesystems.blank(DEVICE, SIZE);

        Failing.with(Failure.FormatRefused.class, () -> stage(TestVolumes.MOUNT));
    }

    @Test
    void nothing_is_detached_while_a_pod_has_it() {
        stage(TestVolumes.MOUNT);
        ProtocolNode.publish(node, TARGET, TestVolumes.MOUNT, work);

        Failing.with(Failure.InUse.class, () -> ProtocolNode.unstage(node, work));
        ProtocolNode.unpublish(node, work);
        ProtocolNode.unstage(node, work);

        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.all()).isEmpty();
    }

    @Test
    void a_raw_device_is_measured_and_grown_by_its_own_path_and_by_its_staging_path() {
        stage(TestVolumes.BLOCK);
        ProtocolNode.publish(node, TARGET, TestVolumes.BLOCK, work);
        on.filesystems.blank(POD, 2 * SIZE);
        on.filesystems.blank(STAGING.resolve("block_device"), 2 * SIZE);

        for (Path path : List.of(POD, STAGING)) {
            assertThat(node.measureVolume().measure(HANDLE, path, work).device())
                    .isTrue();
            assertThat(node.growFilesystem().grow(HANDLE, path, CapacityRange.of(2 * SIZE, 0), work))
                    .contains(Capacity.ofBytes(2 * SIZE));
        }
        assertThat(on.filesystems.grownTo(DEVICE)).isZero();
    }

    @Test
    void a_file_system_is_grown_only_if_the_device_has_grown() {
        stage(TestVolumes.MOUNT);

        Failing.with(
                Failure.NodeFault.class,
                () -> node.growFilesystem().grow(HANDLE, STAGING, CapacityRange.of(2 * SIZE, 0), work));
        on.filesystems.resized(DEVICE, 2 * SIZE);

        assertThat(node.growFilesystem().grow(HANDLE, STAGING, CapacityRange.of(2 * SIZE, 0), work))
                .contains(Capacity.ofBytes(2 * SIZE));
        assertThat(on.filesystems.grownTo(DEVICE)).isEqualTo(2 * SIZE);
    }

    @Test
    void below_a_mounted_file_system_a_device_is_not_grown_if_its_protocol_would_lose_data() {
        on.targets.growUnmountedOnly();
        stage(TestVolumes.MOUNT);
        CapacityRange more = CapacityRange.of(2 * SIZE, 0);

        Failing.with(Failure.InUse.class, () -> node.growFilesystem().grow(HANDLE, STAGING, more, work));
        on.filesystems.resized(DEVICE, 2 * SIZE);

        assertThat(node.growFilesystem().grow(HANDLE, STAGING, more, work)).contains(Capacity.ofBytes(2 * SIZE));
        assertThat(on.filesystems.grownTo(DEVICE)).isEqualTo(2 * SIZE);
    }

    @Test
    void another_context_for_a_staged_volume_is_a_conflict() {
        stage(TestVolumes.MOUNT);

        for (Attachment other : List.of(FakeTargets.target("two"), SHARE)) {
            assertThat(Failing.failure(() -> ProtocolNode.stage(node, other, TestVolumes.MOUNT, work)))
                    .isInstanceOf(Failure.HalfStaged.class)
                    .extracting(Failure::message)
                    .asString()
                    .contains("FL-NODE-002", "a mount at " + STAGING);
        }
    }

    @Test
    void hostile_values_are_refused_before_anything_is_written() {
        String before = on.dump();
        Attachment hostile = new Attachment.Iscsi("10.0.0.1", List.of(), "", "-iqn", 0);

        Failing.with(Failure.InvalidRequest.class, () -> ProtocolNode.stage(node, hostile, TestVolumes.MOUNT, work));

        assertThat(on.dump()).isEqualTo(before);
    }
}
