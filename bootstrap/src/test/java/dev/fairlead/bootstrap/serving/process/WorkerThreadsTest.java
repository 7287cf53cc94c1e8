package dev.fairlead.bootstrap.serving.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.linux.ThreadNiceness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

class WorkerThreadsTest {
    private final WorkerThreads workers = WorkerThreads.ofThisProcess();

    @Test
    void a_worker_is_nicer_than_the_process() throws Exception {
        assertThat(nicenessOn(workers.of(Thread.ofPlatform().daemon().factory())))
                .isEqualTo(expected());
    }

    @Test
    void a_worker_does_not_become_nicer_by_being_started_by_another_one() throws Exception {
        ThreadFactory factory = workers.of(Thread.ofPlatform().daemon().factory());
        var inner = new FutureTask<>(() -> nicenessOn(factory));
        factory.newThread(inner).start();

        assertThat(inner.get()).isEqualTo(expected());
    }

    @Test
    void the_carrier_of_a_call_is_nicer_whoever_started_it() throws Exception {
        assertThat(nicenessOn(workers.of(Thread.ofVirtual().factory()))).isEqualTo(expected());
    }

    private static int expected() throws IOException {
        return Math.min(ThreadNiceness.MOST, ThreadNiceness.ofProcess() + WorkerThreads.STEPS);
    }

    private static int nicenessOn(ThreadFactory factory) throws Exception {
        var task = new FutureTask<>(() -> {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
        });
        factory.newThread(task).start();
        return task.get();
    }
}
