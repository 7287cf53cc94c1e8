package dev.fairlead.adapter.ssh;

import dev.fairlead.adapter.ssh.ShellServer.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.jspecify.annotations.Nullable;

/** A line that a real {@code sh} runs. */
final class ShellCommand implements Command {
    private final String line;
    private final AtomicReference<Fault> fault;
    private final Path folder;
    private volatile @Nullable InputStream in;
    private volatile @Nullable OutputStream out;
    private volatile @Nullable OutputStream err;
    private volatile @Nullable ExitCallback exit;
    private volatile @Nullable Process process;

    ShellCommand(String line, AtomicReference<Fault> fault, Path folder) {
        this.line = line;
        this.fault = fault;
        this.folder = folder;
    }

    @Override
    public void start(ChannelSession channel, Environment environment) throws IOException {
        switch (fault.get()) {
            case REFUSE -> throw new IOException("refused");
            case HANG -> {}
            case SILENT_CLOSE -> channel.close(false);
            case DROP_DURING -> channel.getSession().getIoSession().close(true);
            case DROP_AFTER, DROP_AT_LAST, NONE -> Thread.ofPlatform().daemon().start(() -> run(channel));
        }
    }

    private void run(ChannelSession channel) {
        try {
            // A file: what the JDK hands to a program as an argument depends on the locale.
            Path script = Files.writeString(Files.createTempFile(folder, "line", ".sh"), line);
            Process started = new ProcessBuilder("/bin/sh", script.toString()).start();
            process = started;
            pump(Objects.requireNonNull(in), started.getOutputStream(), true);
            Thread said = pump(started.getInputStream(), Objects.requireNonNull(out), false);
            Thread cried = pump(started.getErrorStream(), Objects.requireNonNull(err), false);
            int code = started.waitFor();
            said.join();
            cried.join();
            if (fault.get() == Fault.DROP_AFTER) {
                channel.getSession().getIoSession().close(true);
                return;
            }
            if (fault.get() == Fault.DROP_AT_LAST) {
                tell(channel, code);
                channel.getSession().getIoSession().close(false);
                return;
            }
            Objects.requireNonNull(exit).onExit(code);
        } catch (IOException | InterruptedException e) {
            Objects.requireNonNull(exit).onExit(126, String.valueOf(e.getMessage()));
        }
    }

    private static void tell(ChannelSession channel, int code) throws IOException {
        Buffer end = channel.getSession().createBuffer(SshConstants.SSH_MSG_CHANNEL_REQUEST);
        end.putUInt(channel.getRecipient());
        end.putString("exit-status");
        end.putBoolean(false);
        end.putUInt(code);
        channel.writePacket(end).verify(Duration.ofSeconds(20));
    }

    private static Thread pump(InputStream from, OutputStream to, boolean close) {
        return Thread.ofPlatform().daemon().start(() -> {
            byte[] chunk = new byte[32 << 10];
            try {
                for (int n = from.read(chunk); n >= 0; n = from.read(chunk)) {
                    to.write(chunk, 0, n);
                    to.flush();
                }
                if (close) {
                    to.close();
                }
            } catch (IOException e) {
                // The other side has ended.
            }
        });
    }

    @Override
    public void destroy(ChannelSession channel) {
        Process running = process;
        if (running != null) {
            running.descendants().forEach(ProcessHandle::destroyForcibly);
            running.destroyForcibly();
        }
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
