package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.ProtocolNode.DEVICE;
import static dev.fairlead.application.service.ProtocolNode.POD;
import static dev.fairlead.application.service.ProtocolNode.SHARE;
import static dev.fairlead.application.service.ProtocolNode.STAGING;
import static dev.fairlead.application.service.ProtocolNode.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
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
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PersistentVolumes that a person wrote, with handles of any form, and those that democratic-csi has mounted. */
class NodeManualTest {
    private static final long SIZE = 1L << 30;
    private static final Attachment FOLDER = new Attachment.HostPath("/srv/media");

    private final ProtocolNode on = new ProtocolNode();
    private final NodeUseCases node = on.process();
    private final TestWork work = TestWork.patient();

    private static Map<String, String> context(Attachment volume) {
        Map<String, String> context = new HashMap<>(AttachmentCodec.encode(volume));
        context.putAll(Map.of(
                "provisioner_driver", "node-manual", "storage.kubernetes.io/csiProvisionerIdentity", "1-8081-manual"));
        return context;
    }

    private void stage(String handle, Attachment volume, VolumeCapability capability) {
        node.stageVolume()
                .stage(new StageVolume.Command(handle, STAGING, capability, context(volume), Map.of(), Map.of()), work);
    }

    private void publish(String handle, Attachment volume, VolumeCapability capability, Path pod) {
        node.mountVolume()
                .mount(
                        new MountVolume.Command(
                                handle, Optional.of(STAGING), pod, capability, false, context(volume), Map.of()),
                        work);
    }

    private void takeAway(String handle, Path... pods) {
        for (Path pod : pods) {
            node.unmountVolume().unmount(handle, pod, work);
        }
        node.unstageVolume().unstage(handle, STAGING, work);
    }

    @ParameterizedTest
    @ValueSource(strings = {"media", "nas.example.org/media", "Film & Ton (alt)", "s:old/one", "pvc-1"})
    void a_volume_by_hand_lives_its_life_whatever_its_handle(String handle) {
        on.mounts.existing(Path.of("/srv/media"));
        for (Attachment volume : List.of(SHARE, TARGET)) {
            stage(handle, volume, TestVolumes.MOUNT);
            publish(handle, volume, TestVolumes.MOUNT, POD);

            for (Path path : List.of(STAGING, POD)) {
                assertThat(node.measureVolume().measure(handle, path, work).totalBytes())
                        .isPositive();
                assertThat(node.growFilesystem().grow(handle, path, CapacityRange.of(SIZE, 0), work))
                        .isEqualTo(volume.equals(TARGET) ? Optional.of(Capacity.ofBytes(SIZE)) : Optional.empty());
            }
            takeAway(handle, POD);
        }
        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.all()).isEmpty();
        assertThat(on.mounts.table(work)).hasSize(1);
    }

    @Test
    void a_folder_by_hand_is_measured_under_its_own_name_alone() {
        on.mounts.existing(Path.of("/srv/media"));
        stage("media", FOLDER, TestVolumes.MOUNT);
        publish("media", FOLDER, TestVolumes.MOUNT, POD);

        assertThat(node.measureVolume().measure("media", POD, work).totalBytes())
                .isPositive();
        takeAway("media", POD);
        Failing.with(Failure.VolumeNotFound.class, () -> node.measureVolume().measure("media", POD, work));
    }

    @Test
    void a_handle_of_another_volume_does_not_measure_or_grow_a_device() {
        stage("one", TARGET, TestVolumes.MOUNT);
        Path other = Path.of("/kubelet/other");
        on.mounts.existing(other);
        on.mounts.mount(Filesystem.of("nfs", "nas:/tank/v/pvc-2", List.of()), other, work);

        Failing.with(Failure.VolumeNotFound.class, () -> node.measureVolume().measure("one", other, work));
        Failing.with(
                Failure.VolumeNotFound.class,
                () -> node.growFilesystem().grow("one", other, CapacityRange.of(SIZE, 0), work));
    }

    @Test
    void a_share_that_democratic_csi_has_mounted_is_taken_over_and_given_back() {
        VolumeCapability flags = new VolumeCapability(
                new VolumeCapability.Mount("nfs", List.of("noatime", "nfsvers=3")), AccessMode.MULTI_NODE_MULTI_WRITER);
        on.mounts.existing(STAGING);
        on.mounts.mount(
                Filesystem.of("nfs", "nas:/tank/v/pvc-1", List.of("noatime", "nfsvers=3", "defaults")), STAGING, work);
        on.mounts.existing(POD);
        on.mounts.bind(STAGING, POD, List.of("noatime"), work);
        String before = on.mounts.dump();

        stage("pvc-1", SHARE, flags);
        publish("pvc-1", SHARE, flags, POD);

        assertThat(on.mounts.dump()).isEqualTo(before);
        assertThat(node.measureVolume().measure("pvc-1", POD, work).totalBytes())
                .isPositive();
        takeAway("pvc-1", POD);
        assertThat(on.mounts.table(work)).hasSize(1);
        assertThat(on.mounts.isDirectory(STAGING)).isFalse();
    }

    @Test
    void a_device_that_democratic_csi_has_mounted_is_taken_over_and_given_back() {
        on.targets.login(((Attachment.Iscsi) TARGET).iqn());
        on.filesystems.written(DEVICE, SIZE, Kind.FILESYSTEM, "ext4");
        on.mounts.existing(STAGING);
        on.mounts.mount(Filesystem.of("ext4", DEVICE.toString(), List.of("defaults")), STAGING, work);
        on.mounts.existing(POD);
        on.mounts.bind(STAGING, POD, List.of(), work);
        String before = on.mounts.dump();

        stage("pvc-1", TARGET, TestVolumes.MOUNT);
        publish("pvc-1", TARGET, TestVolumes.MOUNT, POD);
        assertThat(node.growFilesystem().grow("pvc-1", POD, CapacityRange.of(SIZE, 0), work))
                .contains(Capacity.ofBytes(SIZE));

        assertThat(on.mounts.dump()).isEqualTo(before);
        assertThat(on.filesystems.formats()).isEmpty();
        takeAway("pvc-1", POD);
        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.all()).isEmpty();
    }

    @Test
    void a_raw_device_that_democratic_csi_has_bound_is_taken_over_and_given_back() {
        on.targets.login(((Attachment.Iscsi) TARGET).iqn());
        on.mounts.existing(STAGING);
        Path staged = STAGING.resolve("block_device");
        on.mounts.bindDevice(DEVICE, staged, List.of(), work);
        on.mounts.bindDevice(staged, POD, List.of(), work);
        on.filesystems.blank(POD, SIZE);
        String before = on.mounts.dump();

        assertThat(node.growFilesystem().grow("pvc-1", POD, CapacityRange.of(SIZE, 0), work))
                .contains(Capacity.ofBytes(SIZE));
        stage("pvc-1", TARGET, TestVolumes.BLOCK);
        publish("pvc-1", TARGET, TestVolumes.BLOCK, POD);

        assertThat(on.mounts.dump()).isEqualTo(before);
        assertThat(on.filesystems.formats()).isEmpty();
        takeAway("pvc-1", POD);
        assertThat(on.targets.dump()).isEmpty();
        assertThat(on.journal.all()).isEmpty();
    }
}
