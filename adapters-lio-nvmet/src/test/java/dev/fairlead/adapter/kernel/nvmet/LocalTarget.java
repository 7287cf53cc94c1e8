package dev.fairlead.adapter.kernel.nvmet;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs scripts by a real shell of this machine, with a stand-in for configfs before them. */
final class LocalTarget implements CommandRunner {
    private static final String CONFIGFS = configfs();

    private final AtomicInteger visits = new AtomicInteger();
    private final List<List<String>> commands = new ArrayList<>();
    private volatile int killAfter;
    private volatile Runnable before = () -> {};

    private static String configfs() {
        try (InputStream in = Objects.requireNonNull(LocalTarget.class.getResourceAsStream("configfs.sh"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int visits() {
        return visits.get();
    }

    List<List<String>> commands() {
        return List.copyOf(commands);
    }

    /** The next scripts die after so many changes; 0 for never. */
    void killAfter(int changes) {
        killAfter = changes;
    }

    /** Happens on the host before the next script comes. */
    void beforeNext(Runnable deed) {
        before = deed;
    }

    @Override
    public Ended run(Command command, Work work) {
        List<Ended> ended = new ArrayList<>();
        work.effect(command.effect(), () -> ended.add(shell(command)));
        return ended.getFirst();
    }

    private Ended shell(Command command) {
        Runnable deed = before;
        before = () -> {};
        deed.run();
        visits.incrementAndGet();
        synchronized (commands) {
            commands.add(command.argv());
        }
        List<String> argv = new ArrayList<>(command.argv());
        argv.set(argv.size() - 1, "kill_after=" + killAfter + "\n" + CONFIGFS + argv.getLast());
        String input = command.input() instanceof Command.Input.Text(var text) ? text.reveal() : "";
        try {
            Process process = new ProcessBuilder(argv).start();
            Thread feeding = Thread.ofVirtual().start(() -> feed(process.getOutputStream(), input));
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            feeding.join();
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                throw new AssertionError("the script does not end");
            }
            return Ended.with(process.exitValue(), output, errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void feed(OutputStream to, String input) {
        try (to) {
            to.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException _) {
            // the script ended without reading it
        }
    }

    @Override
    public void close() {}
}
