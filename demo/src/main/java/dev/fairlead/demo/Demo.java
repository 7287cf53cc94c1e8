package dev.fairlead.demo;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the demo: starts the real driver with three connections in two zones on a temporary folder, leads a volume
 * through its life, and leaves nothing behind.
 */
public final class Demo {
    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, String> environment;
    private final boolean colour;
    private final Optional<String> cannotMount;

    /** @param colour whether a terminal shows what is printed */
    public Demo(PrintStream out, PrintStream err, Map<String, String> environment, boolean colour) {
        this(out, err, environment, colour, Mounting.obstacle());
    }

    /** @param cannotMount why volumes are not mounted, if they are not */
    public Demo(
            PrintStream out,
            PrintStream err,
            Map<String, String> environment,
            boolean colour,
            Optional<String> cannotMount) {
        this.out = out;
        this.err = err;
        this.environment = Map.copyOf(environment);
        this.colour = colour;
        this.cannotMount = cannotMount;
    }

    /**
     * Runs the demo, and answers the exit code of the process: 1 if a step fails.
     *
     * @param json whether a program reads the output
     */
    public int run(boolean json) {
        return play(json ? new JsonNarrator(out) : new TextNarrator(out, colour));
    }

    private int play(Narrator narrator) {
        long began = System.nanoTime();
        var steps = new DemoSteps(narrator, System::nanoTime);
        try {
            Path folder = DemoFolder.freshFolder();
            var hook = new Thread(() -> abandon(folder), "demo-cleanup");
            Runtime.getRuntime().addShutdownHook(hook);
            boolean whole = walk(DemoFolder.build(folder), narrator, steps);
            clean(folder);
            Runtime.getRuntime().removeShutdownHook(hook);
            if (whole) {
                narrator.ended(Duration.ofNanos(System.nanoTime() - began));
            }
            return whole ? 0 : 1;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            narrator.failed(steps.current(), "interrupted");
        } catch (IOException e) {
            narrator.failed(steps.current(), reason(e));
        }
        return 1;
    }

    private boolean walk(DemoFolder stage, Narrator narrator, DemoSteps steps)
            throws IOException, InterruptedException {
        stage.connect("fast-a", "zone-a");
        stage.connect("bulk-a", "zone-a");
        narrator.begins("one driver, three connections in two zones, in " + stage.root());
        try (DemoDriver driver = DemoProcess.start(stage, Walk.NODE, environment);
                SidecarClient client = new SidecarClient(stage.socket())) {
            new Walk(stage, driver, client, steps, cannotMount).run();
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            narrator.failed(steps.current(), reason(e));
            lastLines(stage.log()).forEach(err::println);
        }
        return false;
    }

    private static String reason(Exception e) {
        if (e instanceof StatusRuntimeException status) {
            return status.getStatus().getCode() + ": " + status.getStatus().getDescription();
        }
        return e instanceof IllegalStateException ? String.valueOf(e.getMessage()) : e.toString();
    }

    private static List<String> lastLines(Path log) throws IOException {
        if (!Files.exists(log)) {
            return List.of();
        }
        List<String> lines = Files.readAllLines(log);
        return lines.subList(Math.max(0, lines.size() - 20), lines.size());
    }

    private static void clean(Path folder) throws IOException, InterruptedException {
        DemoMounts.removeBelow(folder);
        new DemoFolder(folder).remove();
    }

    /** Ends the driver and removes the folder after somebody has ended the demo in the middle. */
    private static void abandon(Path folder) {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        try {
            clean(folder);
        } catch (IOException _) {
            // Anything that cannot be removed now stays in the system's temporary folder.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
