package dev.fairlead.simulator.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.AbstractCommandSupport;

/** Runs one command line that came by SSH, by a real shell with the box's programs before all others. */
final class ShellLine extends AbstractCommandSupport {
    private final Path bin;
    private final AtomicReference<Optional<Process>> process = new AtomicReference<>(Optional.empty());

    ShellLine(String line, Path bin) {
        super(line, null);
        this.bin = bin;
    }

    @Override
    public void run() {
        try {
            // A file: what the JDK hands to a program as an argument depends on the locale.
            Path script = Files.writeString(Files.createTempFile(bin, "line", ".sh"), getCommand());
            var builder = new ProcessBuilder("/bin/sh", script.toString());
            builder.environment().merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
            Process started = builder.start();
            process.set(Optional.of(started));
            Thread typed = pump(getInputStream(), started.getOutputStream(), true);
            Thread said = pump(started.getInputStream(), getOutputStream(), false);
            Thread cried = pump(started.getErrorStream(), getErrorStream(), false);
            int code = started.waitFor();
            said.join();
            cried.join();
            typed.interrupt();
            Files.delete(script);
            onExit(code);
        } catch (IOException | InterruptedException e) {
            onExit(126, String.valueOf(e.getMessage()));
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
    public void destroy(ChannelSession channel) throws Exception {
        process.get().ifPresent(running -> {
            running.descendants().forEach(ProcessHandle::destroyForcibly);
            running.destroyForcibly();
        });
        super.destroy(channel);
    }
}
