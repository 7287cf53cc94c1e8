package dev.fairlead.linux;

import static dev.fairlead.linux.NativeCall.INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.util.concurrent.ThreadFactory;

/**
 * Makes threads that the kernel runs after the others of this process where there are more than processors.
 *
 * <p>They are for work on storage, of which there may be much at once: who answers callers comes first. It takes no
 * right to yield, and other processes, which Kubernetes weighs by container, are not preferred by it.
 */
public record YieldingThreads(ThreadFactory threads) implements ThreadFactory {
    /** A third of the weight that a thread has otherwise. */
    private static final int MORE = 5;

    @Override
    public Thread newThread(Runnable task) {
        return threads.newThread(() -> {
            yieldToOthers();
            task.run();
        });
    }

    private static void yieldToOthers() {
        try (Arena arena = Arena.ofConfined()) {
            long _ = Nice.CALL.call(NativeCall.state(arena), MORE);
        } catch (LinuxException _) {
            // The answer is the new value, which is below zero, and no error, where the whole process is preferred.
        }
    }

    /** Linked by the first thread that is made. */
    private static final class Nice {
        /** On Linux it changes the calling thread alone. */
        private static final NativeCall CALL = NativeCall.of("nice", FunctionDescriptor.of(INT, INT));
    }
}
