package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.domain.attachment.Attachment.Nfs;
import dev.fairlead.testkit.contract.node.AttacherContract;
import java.nio.file.Path;

class FakeSharesTest implements AttacherContract<Nfs> {
    private final FakeMounts mounts = new FakeMounts();

    @Override
    public Attacher<Nfs> attacher() {
        return new FakeShares();
    }

    @Override
    public Nfs volume(String name) {
        return new Nfs("nas", "/tank/" + name);
    }

    @Override
    public Nfs absent() {
        mounts.withoutShare("nas:/tank/absent");
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
