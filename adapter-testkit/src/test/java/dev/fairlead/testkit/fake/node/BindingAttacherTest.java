package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.domain.attachment.Attachment.HostPath;
import dev.fairlead.testkit.contract.node.AttacherContract;
import java.nio.file.Path;

class BindingAttacherTest implements AttacherContract<HostPath> {
    private final FakeMounts mounts = new FakeMounts();

    @Override
    public Attacher<HostPath> attacher() {
        return new BindingAttacher(mounts);
    }

    @Override
    public HostPath volume(String name) {
        mounts.existing(Path.of("/volumes", name));
        return new HostPath("/volumes/" + name);
    }

    @Override
    public HostPath absent() {
        return new HostPath("/volumes/absent");
    }

    @Override
    public Mounter mounter() {
        return mounts;
    }

    @Override
    public Path folder() {
        return Path.of("/staging");
    }
}
