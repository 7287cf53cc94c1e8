package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.testkit.contract.node.MounterContract;
import java.nio.file.Path;

class FakeMountsTest implements MounterContract {
    private static final Path FOLDER = Path.of("/var/lib/test");

    private final FakeMounts mounts = new FakeMounts();

    FakeMountsTest() {
        mounts.existing(FOLDER);
    }

    @Override
    public Mounter mounter() {
        return mounts;
    }

    @Override
    public Path folder() {
        return FOLDER;
    }

    @Override
    public void link(Path link, Path target) {
        mounts.existingOther(link);
    }

    @Override
    public void file(Path file) {
        mounts.existingOther(file);
    }

    @Override
    public void mountOver(Path source, Path target) {
        mounts.mountOver(source, target);
    }
}
