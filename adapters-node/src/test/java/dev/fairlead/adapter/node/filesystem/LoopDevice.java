package dev.fairlead.adapter.node.filesystem;

import dev.fairlead.adapter.node.mount.KernelNode;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A loop device of a sparse file of its own; both go when it is closed. */
record LoopDevice(KernelNode node, Path file, Path path, Work work) implements AutoCloseable {
    /** Makes one; a test without the right to do that is left out. */
    static LoopDevice of(KernelNode node, long size, Work work) throws IOException {
        Path file = Files.createTempFile("fairlead-device", "");
        resize(file, size);
        Ended made = run(node, work, "losetup", "--find", "--show", file.toString());
        if (!made.succeeded()) {
            Files.delete(file);
        }
        Assumptions.assumeTrue(made.succeeded(), "left out: no loop device: " + made.trouble());
        return new LoopDevice(node, file, Path.of(made.output().strip()), work);
    }

    private static void resize(Path file, long size) throws IOException {
        try (RandomAccessFile all = new RandomAccessFile(file.toFile(), "rw")) {
            all.setLength(size);
        }
    }

    private static Ended run(KernelNode node, Work work, String... argv) {
        return node.programs().run(Command.of(new Effect("test", argv[0]), List.of(argv)), work);
    }

    void resize(long size) throws IOException {
        resize(file, size);
    }

    @Override
    public void close() throws IOException {
        var _ = run(node, work, "losetup", "--detach", path.toString());
        Files.delete(file);
    }
}
