package dev.fairlead.adapter.node.hostpath;

import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.base.VolumeBases;
import dev.fairlead.testkit.contract.node.AttacherContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;

class HostPathAttacherTest implements AttacherContract<Attachment.HostPath> {
    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    @Override
    public Attacher<Attachment.HostPath> attacher() {
        return new HostPathAttacher(
                MountSandbox.mounter(), MountSandbox.threads(), () -> List.of(sandbox.path("base")), VolumeBases.NONE);
    }

    @Override
    public Attachment.HostPath volume(String name) {
        try {
            return new Attachment.HostPath(sandbox.directory("base/v/" + name).toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Attachment.HostPath absent() {
        return new Attachment.HostPath(sandbox.path("base/v/absent").toString());
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
