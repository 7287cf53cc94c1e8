package dev.fairlead.adapter.node.block;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Writes to files of sysfs, which may take the kernel as long as a server takes to answer. */
public record KernelFiles(KernelThreads threads, Receiver receiver) {
    /** Takes what is written to a file of sysfs. */
    @FunctionalInterface
    public interface Receiver {
        void write(Path file, String text) throws IOException;
    }

    public static KernelFiles ofThisKernel(KernelThreads threads) {
        return new KernelFiles(threads, (file, text) -> Files.writeString(file, text, StandardOpenOption.WRITE));
    }

    /**
     * Writes to a file on a thread that can be left behind; does nothing if the file has gone.
     *
     * @param kind of the effect, for the log and the metrics
     */
    public void write(String kind, Path file, String text, Work work) {
        try {
            var _ = threads.run("writing " + file, List.of(file), work, wanted -> {
                if (Files.exists(file)) {
                    wanted.effect(new Effect(kind, file.toString()), () -> receiver.write(file, text));
                }
                return true;
            });
        } catch (IOException e) {
            if (Files.exists(file)) {
                throw KernelThreads.fault("writing " + file, e);
            }
        }
    }
}
