package dev.fairlead.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Sets how far a thread gives way to the others of its control group: its niceness. On Linux each thread has its own,
 * and passes it on to the threads and processes that it starts.
 */
public final class ThreadNiceness {
    /** The niceness of a thread that gives way to all that are less nice; the system takes a higher one for this. */
    public static final int MOST = 19;

    private static final int PRIO_PROCESS = 0;
    private static final int CALLER = 0;
    private static final NativeCall SETPRIORITY = NativeCall.ofInt("setpriority", 3);
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final Path STAT = Path.of("/proc/self/stat");
    /** The niceness is the 19th field of all, and the first after the name in parentheses is the third. */
    private static final int FIELD = 19 - 3;

    private ThreadNiceness() {}

    /** Returns the niceness that this process was started with. */
    public static int ofProcess() throws IOException {
        String stat = Files.readString(STAT);
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[FIELD]);
    }

    /**
     * Sets the niceness of the calling thread, or of the carrier of the calling virtual thread. Any thread may become
     * nicer; to become less nice again takes a privilege.
     */
    public static void set(int niceness) throws LinuxException {
        set(CALLER, niceness);
    }

    /** Sets the niceness of those threads of this process whose names begin so. */
    public static void setOf(String prefix, int niceness) throws IOException {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(TASKS)) {
            for (Path thread : threads) {
                if (name(thread).startsWith(prefix)) {
                    set(Integer.parseInt(String.valueOf(thread.getFileName())), niceness);
                }
            }
        }
    }

    private static String name(Path thread) {
        try {
            return Files.readString(thread.resolve("comm"));
        } catch (IOException _) {
            return ""; // it has ended since it was listed
        }
    }

    private static void set(int thread, int niceness) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            long _ = SETPRIORITY.call(NativeCall.state(arena), PRIO_PROCESS, thread, niceness);
        }
    }
}
