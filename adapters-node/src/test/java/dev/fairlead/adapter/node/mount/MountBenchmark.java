package dev.fairlead.adapter.node.mount;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.linux.MountCalls;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * What publishing costs beside the bare system calls: a {@code main} to be run by hand, as root, in a mount namespace
 * of its own ({@code unshare -m}), with a number of mounts to fill the table with.
 */
final class MountBenchmark {
    private static final Duration ROUND = Duration.ofMillis(1500);

    private final MountSandbox sandbox;
    private final PrintStream out;

    private MountBenchmark(MountSandbox sandbox, PrintStream out) {
        this.sandbox = sandbox;
        this.out = out;
    }

    public static void main(String[] arguments) throws Exception {
        int others = arguments.length == 0 ? 0 : Integer.parseInt(arguments[0]);
        try (MountSandbox sandbox = new MountSandbox()) {
            sandbox.open();
            new MountBenchmark(sandbox, System.out).run(others);
        }
    }

    private void run(int others) throws Exception {
        LinuxMounter mounter = MountSandbox.mounter();
        Path source = sandbox.directory("source");
        for (int i = 0; i < others; i++) {
            sandbox.mountOver(source, sandbox.directory("other/" + i));
        }
        LinuxMounter old = MountSandbox.mounter(false);
        Work work = TestWork.patient().left(Duration.ofMinutes(1));
        for (int threads : List.of(1, 32)) {
            measure("mount(2) + umount2(2)", threads, others, (from, at) -> {
                sandbox.mountOver(from, at);
                MountCalls.unmount(at);
            });
            measure("mkdir(2) + rmdir(2)", threads, others, (_, at) -> {
                Files.delete(Files.createDirectory(at.resolve("mount")));
            });
            measure("bind + unmount", threads, others, (from, at) -> {
                mounter.bind(from, at, List.of("ro"), work);
                mounter.unmount(at, work);
            });
            measure("publish + unpublish", threads, others, (from, at) -> publish(mounter, from, at, work));
            measure("publish + unpublish, by the table", threads, others, (from, at) -> publish(old, from, at, work));
        }
    }

    /** The calls of a NodePublishVolume and a NodeUnpublishVolume. */
    private static void publish(LinuxMounter mounter, Path from, Path at, Work work) {
        Path target = at.resolve("mount");
        mounter.at(from, work);
        mounter.makeDirectory(target, work);
        mounter.at(target, work);
        mounter.bind(from, target, List.of("ro"), work);
        mounter.unmount(target, work);
        mounter.removeDirectory(target, work);
    }

    private void measure(String what, int threads, int others, Step step) throws Exception {
        one(what, threads, step); // warms up
        long[] micros = one(what, threads, step);
        Arrays.sort(micros);
        out.printf(
                "%-36s %2d callers, %4d other mounts: %6.0f a second, p50 %6d us, p99 %6d us%n",
                what,
                threads,
                others,
                micros.length / (ROUND.toMillis() / 1000.0),
                micros[micros.length / 2],
                micros[micros.length * 99 / 100]);
    }

    private long[] one(String what, int threads, Step step)
            throws IOException, InterruptedException, ExecutionException {
        List<FutureTask<List<Long>>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Path source = sandbox.directory("source-" + i);
            Path target = sandbox.directory("target-" + i);
            Callable<List<Long>> loop = () -> loop(step, source, target);
            tasks.add(new FutureTask<>(loop));
        }
        tasks.forEach(task -> Thread.ofPlatform().name(what).start(task));
        List<Long> all = new ArrayList<>();
        for (FutureTask<List<Long>> task : tasks) {
            all.addAll(task.get());
        }
        return all.stream().mapToLong(Long::longValue).toArray();
    }

    private static List<Long> loop(Step step, Path source, Path target) throws IOException {
        List<Long> micros = new ArrayList<>();
        long end = System.nanoTime() + ROUND.toNanos();
        for (long begin = System.nanoTime(); begin < end; begin = System.nanoTime()) {
            step.run(source, target);
            micros.add((System.nanoTime() - begin) / 1000);
        }
        return micros;
    }

    @FunctionalInterface
    private interface Step {
        void run(Path source, Path target) throws IOException;
    }
}
