package dev.fairlead.simulator.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.jspecify.annotations.Nullable;

/** Runs one command line that came by SSH, by a real shell with the box's programs before all others. */
final class ShellLine implements Command {
    private final String line;
    private final Path bin;
    private volatile @Nullable InputStream in;
    private volatile @Nullable OutputStream out;
    private volatile @Nullable OutputStream err;
    private volatile @Nullable ExitCallback exit;
    private volatile @Nullable Process process;

    ShellLine(String line, Path bin) {
        this.line = line;
        this.bin = bin;
    }

    @Override
    public void start(ChannelSession channel, Environment environment) {
        Thread.ofVirtual().start(this::run);
    }

    private void run() {
        ExitCallback end = Objects.requireNonNull(exit);
        try {
            // A file: what the JDK hands to a program as an argument depends on the locale.
            Path script = Files.writeString(Files.createTempFile(bin, "line", ".sh"), line);
            var builder = new ProcessBuilder("/bin/sh", script.toString());
            builder.environment().merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
            Process started = builder.start();
            process = started;
            Thread typed = pump(Objects.requireNonNull(in), started.getOutputStream(), true);
            Thread said = pump(started.getInputStream(), Objects.requireNonNull(out), false);
            Thread cried = pump(started.getErrorStream(), Objects.requireNonNull(err), false);
            int code = started.waitFor();
            said.join();
            cried.join();
            typed.interrupt();
            Files.delete(script);
            end.onExit(code);
        } catch (IOException | InterruptedException e) {
            end.onExit(126, String.valueOf(e.getMessage()));
        }
    }

    private static Thread pump(InputStream from, OutputStream to, boolean close) {
        return Thread.ofVirtual().start(() -> {
            byte[] chunk = new byte[32 << 10];
            try {
                for (int n = from.read(chunk); n >= 0; n = from.read(chunk)) {
                    to.write(chunk, 0, n);
                    to.flush();
                }
                if (close) to.close();
            } catch (IOException e) {
                return; // the other side has ended
            }
        });
    }

    @Override
    public void destroy(ChannelSession channel) {
        Process running = process;
        if (running == null) return;
        running.descendants().forEach(ProcessHandle::destroyForcibly);
        running.destroyForcibly();
    }

    @Override
    public void setInputStream(InputStream stream) {
        in = stream;
    }

    @Override
    public void setOutputStream(OutputStream stream) {
        out = stream;
    }

    @Override
    public void setErrorStream(OutputStream stream) {
        err = stream;
    }

    @Override
    public void setExitCallback(ExitCallback callback) {
        exit = callback;
    }
}
