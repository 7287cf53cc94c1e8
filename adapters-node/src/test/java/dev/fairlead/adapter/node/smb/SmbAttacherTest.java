package dev.fairlead.adapter.node.smb;

import dev.fairlead.adapter.node.share.ShareAttacher;
import dev.fairlead.adapter.node.share.ShareAttacherContract;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.testkit.fake.node.FakeMounts;

/** The contract; {@link SmbMountOptionsTest} has what is particular to SMB. */
class SmbAttacherTest implements ShareAttacherContract<Attachment.Smb> {
    private final FakeMounts mounts = new FakeMounts();

    @Override
    public FakeMounts mounts() {
        return mounts;
    }

    @Override
    public ShareAttacher<Attachment.Smb> attacher() {
        return new ShareAttacher<>(mounts, new SmbProtocol());
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
}
