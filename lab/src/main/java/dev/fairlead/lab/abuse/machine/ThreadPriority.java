package dev.fairlead.lab.abuse.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Gives threads of the abuse the same claim to a processor as the driver has. All others of the abuse are nicer, so
 * that what they need of the processors is not taken from the driver.
 */
public final class ThreadPriority {
    private static final Path SELF = Path.of("/proc/thread-self");

    private ThreadPriority() {}

    /** Takes the niceness of the calling thread back to 0, which takes root. */
    public static void asTheDriver() {
        try {
            String thread = Files.readSymbolicLink(SELF).getFileName().toString();
            Process renice = new ProcessBuilder("renice", "-n", "0", "-p", thread)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (renice.waitFor() != 0) {
                throw new IllegalStateException("renice of thread " + thread + " ended with " + renice.exitValue());
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("the thread keeps its niceness", e);
        }
    }
}
