package dev.fairlead.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the demo on a real cluster, that of {@code lab/kube}: one StorageClass over three connections, and pods in three
 * zones. It leaves the cluster as it found it.
 */
public final class ClusterDemo {
    private final Map<String, String> environment;

    public ClusterDemo(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /**
     * Runs the demo, and answers the exit code of the process: 1 if a step fails.
     *
     * @param json whether a program reads the output, rather than a person at a terminal
     */
    public int run(boolean json, PrintStream out, boolean colour) {
        Narrator narrator = json ? new JsonNarrator(out) : new TextNarrator(out, colour, true);
        Optional<LabCluster> lab = LabCluster.of(environment);
        if (lab.isEmpty()) {
            narrator.failed("begin", "the cluster is that of lab/kube, which is in Fairlead's source tree alone");
            return 1;
        }
        return play(lab.get(), narrator);
    }

    private static int play(LabCluster lab, Narrator narrator) {
        long began = System.nanoTime();
        var steps = new DemoSteps(narrator, System::nanoTime);
        var walk = new ClusterWalk(lab, steps, narrator);
        var hook = new Thread(walk::abandon, "demo-cleanup");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            walk.run();
            narrator.ended(Duration.ofNanos(System.nanoTime() - began));
            return 0;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            narrator.failed(steps.current(), "interrupted");
        } catch (IllegalStateException e) {
            narrator.failed(steps.current(), String.valueOf(e.getMessage()));
        } catch (Exception e) {
            narrator.failed(steps.current(), e.toString());
        } finally {
            forget(hook);
        }
        walk.abandon();
        return 1;
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The process is ending, and the hook cleans up.
        }
    }
}
