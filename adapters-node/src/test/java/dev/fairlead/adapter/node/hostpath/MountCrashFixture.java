package dev.fairlead.adapter.node.hostpath;

import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.linux.MountCalls;
import dev.fairlead.testkit.crash.CrashFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Real mounts and directories of a node as a world in which every call is cut everywhere. */
final class MountCrashFixture implements CrashFixture<StagedNode> {
    private final MountSandbox sandbox;
    private final boolean newest;

    MountCrashFixture(MountSandbox sandbox, boolean newest) {
        this.sandbox = sandbox;
        this.newest = newest;
    }

    @Override
    public void reset() {
        try {
            sandbox.close();
            sandbox.directory("base/v/one");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public StagedNode open() {
        return new StagedNode(MountSandbox.mounter(newest), sandbox.path(""));
    }

    @Override
    public void close(StagedNode node) {
        // a mounter holds nothing
    }

    /** Something else at a path, made past the driver. */
    void mountOver(String source, String target) {
        try {
            sandbox.mountOver(sandbox.path(source), sandbox.path(target));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String dump() {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> tree = Files.walk(sandbox.path(""))) {
            for (Path path : tree.toList()) {
                lines.add("file " + path + " "
                        + PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)));
            }
            for (MountEntry entry : sandbox.mounts()) {
                lines.add("mount " + entry.root() + " at " + entry.mountPoint() + " " + entry.options());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return String.join("\n", lines.stream().sorted().toList());
    }

    /** Takes a mount off, as an operator or a reboot does. */
    void lose(String target) {
        try {
            MountCalls.unmount(sandbox.path(target));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
