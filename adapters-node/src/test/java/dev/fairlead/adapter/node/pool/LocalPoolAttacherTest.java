package dev.fairlead.adapter.node.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.hostpath.HostPathAttacher;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.base.VolumeBases;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.linux.LoopDevices;
import dev.fairlead.testkit.Until;
import dev.fairlead.testkit.contract.node.AttacherContract;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LocalPoolAttacherTest implements AttacherContract<Attachment.LocalPool> {
    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    @Override
    public Attacher<Attachment.LocalPool> attacher() {
        return new LocalPoolAttacher(
                MountSandbox.mounter(),
                MountSandbox.threads(),
                new HostPathAttacher(
                        MountSandbox.mounter(),
                        MountSandbox.threads(),
                        () -> List.of(sandbox.path("base")),
                        VolumeBases.NONE),
                LoopDevices.ofThisMachine(),
                new BlockTree(Path.of("/sys")));
    }

    @Override
    public VolumeCapability capability() {
        return TestVolumes.BLOCK;
    }

    @Override
    public Attachment.LocalPool volume(String name) {
        try {
            Path image = sandbox.directory("base/v/" + name).resolve("disk.img");
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(16 << 20);
            }
            return new Attachment.LocalPool(image.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Attachment.LocalPool absent() {
        return new Attachment.LocalPool(sandbox.path("base/v/absent/disk.img").toString());
    }

    @Override
    public Mounter mounter() {
        return MountSandbox.mounter();
    }

    @Override
    public Path folder() {
        return sandbox.path("staged");
    }

    @Test
    void a_device_that_something_has_open_for_a_moment_is_let_go_of() throws Exception {
        Attachment.LocalPool volume = volume("pvc-a");
        Path device = AttachCalls.device(attacher(), volume, Map.of());
        FileChannel open = FileChannel.open(device);
        Path clears = Path.of("/sys/block/" + device.getFileName() + "/loop/autoclear");
        Thread closing = Thread.ofPlatform().daemon().start(() -> {
            Until.holds(() -> Files.readString(clears).strip().equals("1"));
            assertThatNoException().isThrownBy(open::close);
        });

        attacher().detach(volume, Map.of(), TestWork.patient());

        assertThat(LoopDevices.ofThisMachine().of(Path.of(volume.path()))).isEmpty();
        closing.join();
    }

    /** A loop device of the operator, as of a pool's disk that is a file, may have a file of the same name. */
    @Test
    void only_a_file_in_the_place_of_an_image_is_recognised() throws IOException {
        Path sys = sandbox.directory("sys");
        MountEntry mount = new MountEntry(9, 1, "7:3", "/", "/mnt", List.of("rw"), "ext4", "/dev/loop3", List.of());
        LocalPoolAttacher attacher = new LocalPoolAttacher(
                mounter(),
                MountSandbox.threads(),
                new HostPathAttacher(mounter(), MountSandbox.threads(), List::of, VolumeBases.NONE),
                LoopDevices.ofThisMachine(),
                new BlockTree(sys));
        Path device = sandbox.directory("sys/class/block/loop3");
        Files.createSymbolicLink(sandbox.directory("sys/dev/block").resolve("7:3"), Path.of("../../class/block/loop3"));
        Path backing = sandbox.directory("sys/class/block/loop3/loop").resolve("backing_file");
        assertThat(device).isDirectory();

        Files.writeString(backing, "/pools/v/pvc-a/disk.img\n");
        assertThat(attacher.recognise(mount, TestWork.patient()))
                .contains(new Attachment.LocalPool("/pools/v/pvc-a/disk.img"));
        Files.writeString(backing, "/srv/disk.img\n");
        assertThat(attacher.recognise(mount, TestWork.patient())).isEmpty();

        assertThat(attacher.removed(mount, TestWork.patient())).isEmpty();
        Files.writeString(backing, "/pools/v/pvc-a/disk.img (deleted)\n");
        assertThat(attacher.removed(mount, TestWork.patient())).contains("its image /pools/v/pvc-a/disk.img (deleted)");
    }
}
