package dev.fairlead.adapter.node.pool;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.hostpath.HostPathAttacher;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.linux.LoopDevices;
import dev.fairlead.testkit.contract.node.AttacherContract;
import dev.fairlead.testkit.fake.TestVolumes;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
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
                        MountSandbox.mounter(), MountSandbox.threads(), () -> List.of(sandbox.path("base"))),
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
}
