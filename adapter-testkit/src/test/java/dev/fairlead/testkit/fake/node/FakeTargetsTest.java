package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.domain.attachment.Attachment.Iscsi;
import dev.fairlead.testkit.contract.node.AttacherContract;
import java.nio.file.Path;

class FakeTargetsTest implements AttacherContract<Iscsi> {
    private final FakeMounts mounts = new FakeMounts();
    private final FakeTargets targets = new FakeTargets(mounts);

    @Override
    public Attacher<Iscsi> attacher() {
        return targets;
    }

    @Override
    public Iscsi volume(String name) {
        return FakeTargets.target(name);
    }

    @Override
    public Iscsi absent() {
        return FakeTargets.target("absent");
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
