package dev.fairlead.adapter.node.smb;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.testkit.contract.node.AttacherContract;
import dev.fairlead.testkit.fake.node.FakeMounts;
import java.nio.file.Path;

/** The contract, over mounts in memory. */
class SmbAttacherTest implements AttacherContract<Attachment.Smb> {
    private final FakeMounts mounts = new FakeMounts();

    @Override
    public Attacher<Attachment.Smb> attacher() {
        return new SmbAttacher(mounts);
    }

    @Override
    public Attachment.Smb volume(String name) {
        return new Attachment.Smb("nas.example.org", name);
    }

    @Override
    public Attachment.Smb absent() {
        mounts.withoutShare("//nas.example.org/absent");
        return volume("absent");
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
