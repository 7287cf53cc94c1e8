package dev.fairlead.adapter.node.mount;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.testkit.contract.node.MounterContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.extension.RegisterExtension;

class LinuxMounterTest implements MounterContract {
    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    @Override
    public Mounter mounter() {
        return MountSandbox.mounter();
    }

    @Override
    public Path folder() {
        return sandbox.path("");
    }

    @Override
    public void link(Path link, Path target) {
        unchecked(() -> Files.createSymbolicLink(link, target));
    }

    @Override
    public void file(Path file) {
        unchecked(() -> Files.writeString(file, "data"));
    }

    @Override
    public void mountOver(Path source, Path target) {
        unchecked(() -> sandbox.mountOver(source, target));
    }

    private static void unchecked(Callable<Path> action) {
        try {
            action.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
