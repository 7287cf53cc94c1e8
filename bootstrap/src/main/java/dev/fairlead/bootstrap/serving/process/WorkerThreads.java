package dev.fairlead.bootstrap.serving.process;

import dev.fairlead.linux.ThreadNiceness;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the threads that carry out calls and what goes on beside them. They are nicer than the thread that reads the
 * sockets and answers Probe, so that however many of them want a processor, that one gets it soon. Niceness counts
 * among the threads of one control group, so in a container they lose nothing to other containers.
 *
 * <p>The JVM's compilers are as nice as these. If they were less nice, they could keep a worker from the next place at
 * which it may be stopped, and with it a collection, for which all threads are stopped.
 */
public final class WorkerThreads {
    /**
     * The steps of niceness between the thread that answers Probe and these; ten leave each a ninth of its weight, so
     * that a dozen of them leave it most of a processor.
     */
    public static final int STEPS = 10;

    /** The beginnings of the names of the JVM's compiler threads. */
    private static final List<String> COMPILERS = List.of("C1 Compiler", "C2 Compiler");

    private static final Logger log = LoggerFactory.getLogger(WorkerThreads.class);

    private final OptionalInt niceness;

    private WorkerThreads(OptionalInt niceness) {
        this.niceness = niceness;
    }

    /** Makes threads that are nicer than the process was started. */
    public static WorkerThreads ofThisProcess() {
        try {
            int niceness = Math.min(ThreadNiceness.MOST, ThreadNiceness.ofProcess() + STEPS);
            for (String compiler : COMPILERS) {
                ThreadNiceness.setOf(compiler, niceness);
            }
            return new WorkerThreads(OptionalInt.of(niceness));
        } catch (IOException e) {
            log.atDebug().addKeyValue("cause", e.getMessage()).log("threads keep the niceness of the process");
            return new WorkerThreads(OptionalInt.empty());
        }
    }

    /** Returns the threads of a factory, each nicer from its first step on. */
    public ThreadFactory of(ThreadFactory plain) {
        return task -> plain.newThread(() -> {
            niceness.ifPresent(WorkerThreads::become);
            task.run();
        });
    }

    /**
     * Makes the thread nicer that runs this. A virtual thread does so for its carrier, since a carrier has the niceness
     * of whoever happened to start it.
     */
    private static void become(int niceness) {
        try {
            ThreadNiceness.set(niceness);
        } catch (IOException _) {
            // Only the order in which threads get processors is lost; a sandbox may forbid it.
        }
    }
}
