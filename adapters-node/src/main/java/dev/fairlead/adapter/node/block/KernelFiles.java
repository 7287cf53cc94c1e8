package dev.fairlead.adapter.node.block;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.KernelWait;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

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
     * @param holder the target or subsystem for which the kernel may wait
     */
    public void write(String kind, Path file, String holder, String text, Work work) {
        refusal(kind, file, holder, text, work).ifPresent(e -> {
            throw KernelThreads.fault("writing " + file, e);
        });
    }

    /** Writes to a file as the other method does, again as long as the kernel says that it is busy. */
    public void writeOnceFree(String kind, Path file, String holder, String text, KernelWait wait, Work work) {
        AtomicReference<Optional<IOException>> last = new AtomicReference<>(Optional.empty());
        var _ = wait.until(
                () -> {
                    last.set(refusal(kind, file, holder, text, work));
                    return last.get().filter(KernelFiles::isBusy).isEmpty();
                },
                work);
        last.get().ifPresent(e -> {
            throw KernelThreads.fault("writing " + file, e);
        });
    }

    /** Writes to a file; returns why the kernel has not taken it. */
    private Optional<IOException> refusal(String kind, Path file, String holder, String text, Work work) {
        try {
            var _ = threads.run("writing " + file, file, holder, work, wanted -> {
                if (Files.exists(file)) {
                    wanted.effect(new Effect(kind, file.toString()), () -> receiver.write(file, text));
                }
                return true;
            });
            return Optional.empty();
        } catch (IOException e) {
            return Files.exists(file) ? Optional.of(e) : Optional.empty();
        }
    }

    private static boolean isBusy(IOException e) {
        return ErrorText.errno(e) == Errno.EBUSY;
    }
}
